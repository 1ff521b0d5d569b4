<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** 409: another provider has the order, or it has changed since this very message was first sent. Look the order up. */
final class Conflict extends ApiError
{
}

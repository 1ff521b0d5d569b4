<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** 422: understood and refused, for example a confirmation of an order that ended meanwhile. */
final class Refused extends ApiError
{
}

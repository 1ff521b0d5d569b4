<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** 404 */
final class NotFound extends ApiError
{
}

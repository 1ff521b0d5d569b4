<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** 403: the signature was refused, or another provider holds the order. In a sandbox the message says what is wrong with the signature. */
final class PermissionDenied extends ApiError
{
}

<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** 5xx: the node could not; after a 500 it is not known whether anything was done. */
final class Unavailable extends ApiError
{
}

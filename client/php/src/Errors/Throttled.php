<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** 429: not looked at. It is thrown at once where the node asks for a longer pause than `maxPauseSeconds`. */
final class Throttled extends ApiError
{
}

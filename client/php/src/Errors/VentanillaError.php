<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** Whatever this package throws. */
class VentanillaError extends \RuntimeException
{
}

<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** No answer came: whether the request was carried out is not known. */
final class NoAnswer extends VentanillaError
{
}

<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** A client was made, or asked, in a way that cannot work: nothing was sent. */
final class Misuse extends VentanillaError
{
}

<?php

declare(strict_types=1);

namespace Ventanilla;

/** How a request may be sent again when its answer was lost. */
enum Repetition
{
    case Freely;
    /** With the very same signed bytes. */
    case Message;
    /** Under the same Idempotency-Key. */
    case IdempotencyKey;
}

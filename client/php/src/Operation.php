<?php

declare(strict_types=1);

namespace Ventanilla;

/** An operation of the API's document. */
final readonly class Operation
{
    public function __construct(
        public string $method,
        /** With `{name}` for what is filled in. */
        public string $path,
        public Repetition $repetition,
        /** What is answered is a table, and not JSON. */
        public bool $isText = false,
        /** Everything is checked, and nothing is written. */
        public bool $isDryRun = false,
    ) {
    }
}

<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** What is wrong with one field. */
final readonly class FieldError
{
    public function __construct(
        /** The field; `non_field_errors` for a rule across fields; null for the request as a whole. */
        public ?string $attr,
        /** For programs. */
        public string $code,
        /** For people. */
        public string $detail,
    ) {
    }
}

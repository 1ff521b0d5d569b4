<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** 400: something is wrong with the request; `errors` says what. */
final class InvalidRequest extends ApiError
{
    /**
     * What is said of one field.
     *
     * @return list<FieldError>
     */
    public function of(string $attr): array
    {
        return array_values(array_filter($this->errors, static fn (FieldError $error) => $error->attr === $attr));
    }
}

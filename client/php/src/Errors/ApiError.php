<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

use Psr\Http\Message\ResponseInterface;

/** The node refused. */
class ApiError extends VentanillaError
{
    /** @param list<FieldError> $errors */
    final public function __construct(
        string $detail,
        public readonly int $status,
        /** For example `permission_denied`; `conflict` for every 409. */
        public readonly string $errorCode,
        /** Of a 400: all that is wrong, field by field. */
        public readonly array $errors = [],
        /** For the operator: it is in the node's log. */
        public readonly ?string $requestId = null,
        /** How many seconds to wait before the next attempt, where the node said so. */
        public readonly ?float $retryAfter = null,
    ) {
        parent::__construct($detail, $status);
    }

    /** The error that an answer outside 2xx stands for. */
    public static function fromAnswer(ResponseInterface $answer, string $body, float $now): self
    {
        $status = $answer->getStatusCode();
        [$detail, $errors] = self::readBody($body);
        $retryAfter = self::secondsAfter($answer->getHeaderLine('Retry-After'), $now);
        $told = implode(' ', array_map(self::told(...), $errors));
        $text = $detail ?? ($told !== '' ? $told : "The node answered $status.");
        if ($status === 429) {
            $retryAfter ??= 1.0;
            $text .= sprintf(' Try again in %.0F s.', $retryAfter);
        }
        // A sandbox says what is wrong with a signature.
        if ($answer->hasHeader('Signature-Hint')) {
            $text .= " Signature-Hint: {$answer->getHeaderLine('Signature-Hint')}";
        }
        $class = match (true) {
            $status === 400 => InvalidRequest::class,
            $status === 403 => PermissionDenied::class,
            $status === 404 => NotFound::class,
            $status === 409 => Conflict::class,
            $status === 422 => Refused::class,
            $status === 429 => Throttled::class,
            $status >= 500 => Unavailable::class,
            default => self::class,
        };
        $code = isset($errors[0]) ? $errors[0]->code : ($status === 409 ? 'conflict' : 'error');
        $requestId = $answer->hasHeader('Request-Id') ? $answer->getHeaderLine('Request-Id') : null;

        return new $class($text, $status, $code, $errors, $requestId, $retryAfter);
    }

    private static function told(FieldError $error): string
    {
        $isOfField = $error->attr !== null && $error->attr !== 'non_field_errors';

        return $isOfField ? "$error->attr: $error->detail" : $error->detail;
    }

    /** Seconds, or a date (RFC 9110, 10.2.3). */
    private static function secondsAfter(string $text, float $now): ?float
    {
        if (preg_match('/^[0-9]+$/D', $text)) {
            return (float) $text;
        }
        $at = preg_match('/^[A-Z][a-z]{2}, [0-9]{2} /', $text) ? strtotime($text) : false;

        return $at === false ? null : max(0.0, $at - $now);
    }

    /**
     * What is no JSON, or not in the node's form, comes from something between.
     *
     * @return array{?string, list<FieldError>}
     */
    private static function readBody(string $body): array
    {
        $document = json_decode($body, true);
        if (!is_array($document)) {
            return [null, []];
        }
        $detail = is_string($document['detail'] ?? null) ? $document['detail'] : null;
        $errors = [];
        foreach (is_array($document['errors'] ?? null) ? $document['errors'] : [] as $error) {
            $isOne = is_array($error) && is_string($error['code'] ?? null) && is_string($error['detail'] ?? null);
            if ($isOne && array_key_exists('attr', $error) && (is_string($error['attr']) || $error['attr'] === null)) {
                $errors[] = new FieldError($error['attr'], $error['code'], $error['detail']);
            }
        }

        return [$detail, $errors];
    }
}

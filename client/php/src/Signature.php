<?php

declare(strict_types=1);

namespace Ventanilla;

/** The signature of requests and webhooks: HMAC-SHA-256 over `KEY:DATE:METHOD:PATH:BODY`, in hexadecimal. */
final class Signature
{
    /**
     * The Message-Hash of a message: 64 lower-case hexadecimal digits.
     *
     * @param string $path as it is sent: undecoded, and of a list with its query
     * @param string $body the exact bytes; empty where there is no body
     */
    public static function sign(
        string $key,
        string $messageDate,
        string $method,
        string $path,
        string $body,
        #[\SensitiveParameter] string $secret,
    ): string {
        $signed = implode(':', [$key, $messageDate, strtoupper($method), $path, $body]);

        return hash_hmac('sha256', $signed, $secret);
    }

    /** Seconds since 1970, as a Message-Date. */
    public static function messageDate(float $now): string
    {
        // With a point in every locale.
        return sprintf('%.6F', $now);
    }
}

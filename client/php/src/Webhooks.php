<?php

declare(strict_types=1);

namespace Ventanilla;

use Ventanilla\Errors\WebhookRefused;

/** Webhooks: whether one is the node's own, and what it says. */
final class Webhooks
{
    /**
     * Verifies a webhook by its Message-Hash.
     *
     * @param string $path of the request line, not decoded: `$_SERVER['REQUEST_URI']`; its query does not count
     * @param array<string, string|list<string>> $headers `getallheaders()`, or the headers of a PSR-7 request
     * @param string $body the raw bytes: `file_get_contents('php://input')`
     * @param array<string, string> $secrets the merchant's secrets by their keys: two while one is being replaced
     * @param ?float $now seconds since 1970
     * @throws WebhookRefused where it is not the node's, or too old
     */
    public static function verify(
        string $path,
        array $headers,
        string $body,
        #[\SensitiveParameter] array $secrets,
        float $toleranceSeconds = 300.0,
        ?float $now = null,
    ): VerifiedWebhook {
        $named = self::byLowerCase($headers);
        [$key, $date] = [$named['merchant-key'] ?? '', $named['message-date'] ?? ''];
        $secret = (string) ($secrets[$key] ?? '');
        if ($secret === '') {
            throw new WebhookRefused('It is signed with an unknown key.');
        }
        $bare = explode('?', $path, 2)[0];
        $expected = Signature::sign($key, $date, 'POST', $bare === '' ? '/' : $bare, $body, $secret);
        if (!hash_equals($expected, $named['message-hash'] ?? '')) {
            throw new WebhookRefused('Its hash differs.');
        }
        self::assertRecent($date, '/^[0-9]{10}(\.[0-9]{1,9})?$/D', $toleranceSeconds, $now);

        return self::toldBy($named, $body);
    }

    /**
     * Verifies a webhook by Standard Webhooks, where the operator has it signed so.
     *
     * @param array<string, string|list<string>> $headers
     * @param list<string> $secrets those that begin with `whsec_`: several while one is being replaced
     * @throws WebhookRefused where it is not the node's, or too old
     */
    public static function verifyStandard(
        array $headers,
        string $body,
        #[\SensitiveParameter] array $secrets,
        float $toleranceSeconds = 300.0,
        ?float $now = null,
    ): VerifiedWebhook {
        $named = self::byLowerCase($headers);
        $timestamp = $named['webhook-timestamp'] ?? '';
        $signed = ($named['webhook-id'] ?? '') . ".$timestamp.$body";
        $isGenuine = false;
        foreach ($secrets as $secret) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, self::keyOf($secret), true));
            // All of them are compared, whichever is right.
            foreach (explode(' ', $named['webhook-signature'] ?? '') as $given) {
                $isGenuine = hash_equals($expected, $given) || $isGenuine;
            }
        }
        if (!$isGenuine) {
            throw new WebhookRefused('Its signature differs.');
        }
        self::assertRecent($timestamp, '/^[0-9]{10}$/D', $toleranceSeconds, $now);

        return self::toldBy($named, $body);
    }

    private static function keyOf(#[\SensitiveParameter] string $secret): string
    {
        $text = str_starts_with($secret, 'whsec_') ? substr($secret, strlen('whsec_')) : $secret;
        $key = base64_decode($text, true);
        if ($key === false || $key === '') {
            throw new WebhookRefused('The secret is none of Standard Webhooks.');
        }

        return $key;
    }

    private static function assertRecent(string $date, string $form, float $tolerance, ?float $now): void
    {
        if (!preg_match($form, $date) || abs(($now ?? microtime(true)) - (float) $date) > $tolerance) {
            throw new WebhookRefused('It was signed at another time.');
        }
    }

    /**
     * @param array<string, string|list<string>> $headers
     * @return array<string, string>
     */
    private static function byLowerCase(array $headers): array
    {
        $named = [];
        foreach ($headers as $name => $value) {
            $named[strtolower((string) $name)] = is_array($value) ? implode(',', $value) : $value;
        }

        return $named;
    }

    /** @param array<string, string> $headers */
    private static function toldBy(array $headers, string $body): VerifiedWebhook
    {
        $order = json_decode($body, true);
        if (json_last_error() !== JSON_ERROR_NONE) {
            throw new WebhookRefused('Its body is not JSON.');
        }
        if (!is_array($order) || ($order !== [] && array_is_list($order))) {
            throw new WebhookRefused('Its body is no order.');
        }
        $whole = static fn (string $text): int => preg_match('/^[0-9]{1,9}$/D', $text) ? (int) $text : 0;

        return new VerifiedWebhook(
            id: $headers['webhook-id'] ?? '',
            sequence: $whole($headers['webhook-sequence'] ?? ''),
            attempt: $whole($headers['webhook-attempt'] ?? ''),
            order: $order,
        );
    }
}

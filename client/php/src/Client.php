<?php

declare(strict_types=1);

namespace Ventanilla;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Ventanilla\Errors\ApiError;
use Ventanilla\Errors\Misuse;
use Ventanilla\Errors\NoAnswer;
use Ventanilla\Errors\Throttled;

/** Sends signed requests for one key, and sends them again where that is safe. */
abstract class Client
{
    protected const KEY_HEADER = '';

    private const FIRST_PAUSE_SECONDS = 0.25;
    /** The node takes a message for 300 s; the rest is for its way, and for clocks that differ. */
    private const REPEATABLE_SECONDS = 270.0;

    private readonly string $base;
    private readonly \Closure $now;
    private readonly \Closure $sleep;

    /**
     * @param string $url where the node is, for example `https://pay.example`, with or without `/api/v1`
     * @param ClientInterface $http sends a request once, follows no redirect, and has a time-out: about 15 s
     * @param int $attempts how often a request is sent at most
     * @param float $maxPauseSeconds who is told to wait longer gets the error at once
     * @param ?\Closure(): float $now seconds since 1970
     * @param ?\Closure(float): void $sleep for so many seconds
     * @throws Misuse where url, key or secret cannot be; each method throws the ApiError of its status, or NoAnswer
     */
    final public function __construct(
        string $url,
        private readonly string $key,
        #[\SensitiveParameter] private readonly string $secret,
        private readonly ClientInterface $http,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly int $attempts = 4,
        private readonly float $maxPauseSeconds = 60.0,
        ?\Closure $now = null,
        ?\Closure $sleep = null,
    ) {
        foreach (['key' => $key, 'secret' => $secret] as $name => $value) {
            if ($value === '') {
                throw new Misuse("$name: it is empty.");
            }
        }
        $this->base = self::baseOf($url);
        $this->now = $now ?? static fn (): float => microtime(true);
        $this->sleep = $sleep ?? static fn (float $seconds) => usleep((int) round($seconds * 1_000_000));
    }

    /**
     * @param array<string, string> $parameters
     * @param array<string, string|int|null> $query
     * @param ?array<string, mixed> $body
     */
    protected function call(
        Operation $operation,
        array $parameters,
        array $query,
        ?array $body = null,
        ?string $idempotencyKey = null,
    ): array|string {
        $path = self::pathOf($operation->path, $parameters) . self::queryOf($query);
        $content = $body === null ? null : self::jsonOf($body);
        $more = $operation->isDryRun ? ['Dry-Run' => 'true'] : [];
        if ($operation->repetition === Repetition::IdempotencyKey) {
            $more['Idempotency-Key'] = $idempotencyKey ?? bin2hex(random_bytes(16));
        }
        [$headers, $signedAt] = $this->signed($operation, $path, $content);
        // Whether an attempt with these bytes may have been carried out.
        $isJudged = false;
        for ($attempt = 1; ; $attempt++) {
            $error = null;
            try {
                [$document, $answer] = $this->attempt($operation, $path, $headers + $more, $content);
            } catch (ApiError | NoAnswer $error) {
                $pause = $this->pauseAfter($error, $attempt);
                if ($attempt >= $this->attempts || $pause === null || !self::isWorthRepeating($error, $operation)) {
                    throw $error;
                }
            }
            if ($error === null) {
                return self::believed($document, $answer, $operation);
            }
            // What was refused for its number alone was not looked at.
            $isJudged = $isJudged || !$error instanceof Throttled;
            ($this->sleep)($pause);
            if ($operation->repetition !== Repetition::Message || !$isJudged) {
                [$headers, $signedAt] = $this->signed($operation, $path, $content);
            } elseif (($this->now)() - $signedAt > self::REPEATABLE_SECONDS) {
                // Signed anew it would be another message, which might do what the first one did not mean.
                throw new NoAnswer(
                    'No answer came while the message was good, and it may have been carried out: look the order up, '
                        . 'and call again only if that is still to be done.',
                    previous: $error,
                );
            }
        }
    }

    /** @return array{array<string, string>, float} headers, and when they were signed */
    private function signed(Operation $operation, string $path, ?string $content): array
    {
        $now = ($this->now)();
        $date = Signature::messageDate($now);
        $hash = Signature::sign($this->key, $date, $operation->method, $path, $content ?? '', $this->secret);
        $headers = [static::KEY_HEADER => $this->key, 'Message-Date' => $date, 'Message-Hash' => $hash];

        return [$content === null ? $headers : $headers + ['Content-Type' => 'application/json'], $now];
    }

    /**
     * @param array<string, string> $headers
     * @return array{array<string, mixed>|string, ResponseInterface}
     */
    private function attempt(Operation $operation, string $path, array $headers, ?string $content): array
    {
        $request = $this->requests->createRequest($operation->method, $this->base . $path);
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($content !== null) {
            $request = $request->withBody($this->streams->createStream($content));
        }
        if ($request->getRequestTarget() !== self::targetOf($this->base . $path)) {
            throw new Misuse("{$request->getRequestTarget()} would be sent, and $path is signed.");
        }
        try {
            $answer = $this->http->sendRequest($request);
            $body = (string) $answer->getBody();
        } catch (ClientExceptionInterface | \RuntimeException $error) {
            throw new NoAnswer("No answer from $this->base: {$error->getMessage()}", previous: $error);
        }
        if ($answer->getStatusCode() < 200 || $answer->getStatusCode() > 299) {
            throw ApiError::fromAnswer($answer, $body, ($this->now)());
        }

        $document = $operation->isText ? $body : json_decode($body, true);
        if (!is_array($document) && !is_string($document)) {
            throw new NoAnswer("No answer from $this->base: what came is no JSON.");
        }

        return [$document, $answer];
    }

    /** @param array<string, mixed>|string $document */
    private static function believed(
        array|string $document,
        ResponseInterface $answer,
        Operation $operation,
    ): array|string {
        if ($operation->isDryRun && $answer->getHeaderLine('Dry-Run') !== 'true') {
            throw new NoAnswer(
                'The answer does not say that this was a dry run: something between has dropped the header Dry-Run, '
                    . 'and the request may have been carried out.',
            );
        }

        return $document;
    }

    /** Null where that is longer than the caller wants to wait. */
    private function pauseAfter(ApiError|NoAnswer $error, int $attempt): ?float
    {
        $told = $error instanceof ApiError ? $error->retryAfter : null;
        if ($told !== null && $told > $this->maxPauseSeconds) {
            return null;
        }
        $growing = self::FIRST_PAUSE_SECONDS * 2 ** ($attempt - 1);

        return min(max($told ?? 0.0, $growing), $this->maxPauseSeconds);
    }

    private static function isWorthRepeating(ApiError|NoAnswer $error, Operation $operation): bool
    {
        if ($error instanceof NoAnswer) {
            return true;
        }

        return match (true) {
            // A creation meets a 409 only while its first attempt is still under way.
            $error->status === 409 => $operation->repetition === Repetition::IdempotencyKey,
            default => $error->status === 408 || $error->status === 429 || $error->status >= 500,
        };
    }

    /** The paths of the operations have the API's base already. */
    private static function baseOf(string $url): string
    {
        $parts = parse_url($url);
        $isBare = !preg_match('/[?#\s]/', $url);
        $isHttp = in_array($parts['scheme'] ?? '', ['http', 'https'], true);
        if ($parts === false || !$isHttp || ($parts['host'] ?? '') === '' || !$isBare) {
            throw new Misuse("url: “{$url}” is not where a node can be; it looks like https://pay.example.");
        }
        if (isset($parts['user']) || isset($parts['pass'])) {
            throw new Misuse('url: it holds a user name or a password.');
        }

        return rtrim((string) preg_replace('#/api/v1$#', '', rtrim($url, '/')), '/');
    }

    /** @param array<string, string> $parameters */
    private static function pathOf(string $template, array $parameters): string
    {
        $values = [];
        foreach ($parameters as $name => $value) {
            // URLs take dots for steps between folders, so that another path would be sent than signed.
            if (in_array($value, ['', '.', '..'], true)) {
                throw new Misuse("$name: “{$value}” cannot stand in a path.");
            }
            $values['{' . $name . '}'] = rawurlencode($value);
        }

        return strtr($template, $values);
    }

    /** @param array<string, string|int|null> $query */
    private static function queryOf(array $query): string
    {
        $text = http_build_query($query, '', '&', PHP_QUERY_RFC3986);

        return $text === '' ? '' : "?$text";
    }

    private static function targetOf(string $url): string
    {
        return (string) preg_replace('#^https?://[^/]*#', '', $url);
    }

    /** @param array<string, mixed> $body */
    private static function jsonOf(array $body): string
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR;
        try {
            return json_encode($body === [] ? new \stdClass() : $body, $flags);
        } catch (\JsonException $error) {
            throw new Misuse("body: it cannot be written as JSON: {$error->getMessage()}", previous: $error);
        }
    }
}

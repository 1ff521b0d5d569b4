<?php

/** Does with the PHP client what the scenario says, a line of JSON each; see test/client/scenario.test.ts. */

declare(strict_types=1);

use GuzzleHttp\Client as Guzzle;
use GuzzleHttp\Psr7\HttpFactory;
use Ventanilla\Errors\ApiError;
use Ventanilla\Errors\VentanillaError;
use Ventanilla\MerchantClient;
use Ventanilla\ProviderClient;
use Ventanilla\Signature;
use Ventanilla\Webhooks;

set_error_handler(static function (int $level, string $text, string $file, int $line): never {
    throw new ErrorException($text, 0, $level, $file, $line);
}, E_ALL & ~E_DEPRECATED);
error_reporting(E_ALL & ~E_DEPRECATED);

// Of Debian's packages; a project with Composer has them in vendor/autoload.php.
require 'GuzzleHttp/autoload.php';
require __DIR__ . '/../../../client/php/src/autoload.php';

function answerTo(array $command, Closure $now, array &$pauses): mixed
{
    switch ($command['do']) {
        case 'sign':
            return Signature::sign(
                $command['key'],
                $command['messageDate'],
                $command['method'],
                $command['path'],
                $command['body'],
                $command['secret'],
            );
        case 'verify':
            $body = base64_decode($command['body']);
            return Webhooks::verify($command['path'], $command['headers'], $body, $command['secrets'], now: $now());
        case 'verifyStandard':
            $body = base64_decode($command['body']);
            return Webhooks::verifyStandard($command['headers'], $body, $command['secrets'], now: $now());
    }
    $factory = new HttpFactory();
    $arguments = [
        $command['url'],
        $command['key'],
        $command['secret'],
        new Guzzle(['timeout' => 15]),
        $factory,
        $factory,
        'attempts' => $command['attempts'],
        'maxPauseSeconds' => (float) $command['maxPause'],
        'now' => $now,
        'sleep' => static function (float $seconds) use (&$pauses): void {
            $pauses[] = $seconds;
        },
    ];
    $client = $command['party'] === 'merchant' ? new MerchantClient(...$arguments) : new ProviderClient(...$arguments);
    $input = $command['input'];
    $query = $input['query'] ?? [];
    unset($input['query']);
    $key = $command['idempotencyKey'] === null ? [] : ['idempotencyKey' => $command['idempotencyKey']];

    return $client->{$command['operation']}(...$input, ...$query, ...$key);
}

function carryOut(array $command): array
{
    $pauses = [];
    $now = static function () use ($command, &$pauses): float {
        return $command['now'] + array_sum($pauses);
    };
    try {
        return ['answer' => answerTo($command, $now, $pauses), 'pauses' => $pauses];
    } catch (VentanillaError $error) {
        $api = $error instanceof ApiError ? $error : null;
        $told = [
            'class' => (new ReflectionClass($error))->getShortName(),
            'message' => $error->getMessage(),
            'status' => $api?->status,
            'code' => $api?->errorCode,
            'retryAfter' => $api?->retryAfter,
            'hasRequestId' => $api?->requestId !== null,
            'fields' => array_map(static fn ($field) => $field->attr, $api?->errors ?? []),
        ];

        return ['error' => $told, 'pauses' => $pauses];
    }
}

while (($line = fgets(STDIN)) !== false) {
    fwrite(STDOUT, json_encode(carryOut(json_decode($line, true)), JSON_THROW_ON_ERROR) . "\n");
}

<?php

declare(strict_types=1);

namespace Ventanilla;

/** A webhook that is the node's own. */
final readonly class VerifiedWebhook
{
    public function __construct(
        /** The same over all attempts: one that was handled before may be acknowledged and dropped. */
        public string $id,
        /** Counts the webhooks of the order, from 1: an older one than the last may be dropped. */
        public int $sequence,
        public int $attempt,
        /**
         * The order: `id`, `status`, `merchant_order_id` and so on.
         *
         * @var array<string, mixed>
         */
        public array $order,
    ) {
    }
}

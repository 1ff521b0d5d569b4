<?php

declare(strict_types=1);

namespace Ventanilla\Errors;

/** A webhook that is not to be believed. */
final class WebhookRefused extends VentanillaError
{
}

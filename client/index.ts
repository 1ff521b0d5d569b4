/** `@ventanilla/client`: typed, signed requests to a Ventanilla node, for merchants and payment providers. */
export type * from './api.ts'
export {
  type Client,
  createMerchantClient,
  createProviderClient,
  type MerchantClient,
  type ProviderClient,
} from './client.ts'
export {
  ApiError,
  Conflict,
  type FieldError,
  InvalidRequest,
  Misuse,
  NoAnswer,
  NotFound,
  PermissionDenied,
  Refused,
  Throttled,
  Unavailable,
  VentanillaError,
  WebhookRefused,
} from './errors.ts'
export type { CallOptions, ClientOptions } from './sending.ts'
export { type SignedParts, sign, verify } from './signature.ts'
export {
  type ReceivedWebhook,
  type StandardWebhookRules,
  type VerifiedWebhook,
  verifyStandardWebhook,
  verifyWebhook,
  type WebhookOrder,
  type WebhookRules,
} from './webhooks.ts'

/**
 * Every expected "no" of the service with its HTTP status. The sentences are in the catalogues, under `refusals`.
 * Not found, not yours and blocked are one refusal each, so that they cannot be told apart.
 */
export const refusals = {
  invalid_input: 400,
  malformed_request: 400,
  login_required: 401,
  token_expired: 401,
  wrong_credentials: 401,
  account_suspended: 401,
  google_token_refused: 401,
  upgrade_required: 402,
  not_found: 404,
  user_not_found: 404,
  social_account_not_found: 404,
  conversation_not_found: 404,
  message_not_found: 404,
  media_not_found: 404,
  session_not_found: 404,
  conflict: 409,
  too_large: 413,
  not_an_image: 415,
  cannot_like_yourself: 422,
  cannot_block_yourself: 422,
  cannot_report_yourself: 422,
  never_see_full: 422,
  never_see_too_new: 422,
  location_required: 422,
  empty_message: 422,
  too_many_links: 422,
  clear_icon_missing: 422,
  google_email_unverified: 422,
  too_many_requests: 429,
  likes_used_up: 451,
  media_unavailable: 503,
  preview_unavailable: 503,
  google_unavailable: 503,
} as const;

export type RefusalCode = keyof typeof refusals;

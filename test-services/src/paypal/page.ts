import type { Order } from "./orders.ts";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}
button,input{font:inherit;display:block;box-sizing:border-box;width:100%;padding:.75rem;margin:.5rem 0}`;

/** The buyer's page; it states that it is a sandbox. */
export function checkoutPage(order: Order, action: string): string {
  const { amount, description = "" } = order.unit;
  const button = (choice: string, words: string) =>
    `<button name="choice" value="${choice}">${words}</button>`;
  return frame(`<h1>Payment sandbox</h1>
<p>This is a sandbox: no money moves.</p>
<p>${escape(order.brandName ?? "")}: ${escape(description)}<br><strong>${escape(amount.value)} ${escape(amount.currency_code)}</strong></p>
<form method="post" action="${escape(action)}">
<label>Your PayPal account<input type="email" name="payer" value="${escape(order.payer)}" required></label>
<label>Country of the account (such as DE; empty: none is named)<input name="country" value="${escape(order.payerCountry ?? "")}" maxlength="2" pattern="[A-Z]{2}"></label>
${button("approve", "Approve")}${button("cancel", "Cancel")}${button("decline", "Decline the next capture")}
</form>`);
}

export function closedPage(sentence: string): string {
  return frame(`<h1>Payment sandbox</h1><p>${escape(sentence)}</p>`);
}

function frame(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sandbox</title><link rel="icon" href="data:,"><style>${STYLE}</style><main>${body}</main></html>`;
}

export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

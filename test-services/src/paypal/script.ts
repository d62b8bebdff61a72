/**
 * The fake of PayPal's script: a button that creates an order, then three that approve it, let it be declined, or cancel.
 */
export function scriptOf(base: string): string {
  return `"use strict";
(() => {
  const name = document.currentScript.dataset.namespace ?? "paypal";
  const approve = (id, choice) =>
    fetch(${JSON.stringify(base)} + "/checkoutnow?token=" + id, {
      method: "POST",
      mode: "no-cors",
      body: new URLSearchParams({ choice }),
    });
  globalThis[name] = {
    Buttons({ createOrder, onApprove, onCancel, onError }) {
      const box = document.createElement("div");
      const show = (...buttons) => {
        box.replaceChildren(
          ...buttons.map(([words, act]) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = words;
            button.addEventListener("click", () => Promise.resolve(act()).catch(onError));
            return button;
          }),
        );
      };
      const begin = async () => choose(await createOrder());
      const restart = () => show(["PayPal", begin]);
      const choose = (id) => {
        const decide = (choice) => async () => {
          show(); // closes like PayPal's window
          await approve(id, choice);
          await onApprove({ orderID: id }, { restart: () => choose(id) });
        };
        show(["Approve", decide("approve")], ["Decline", decide("decline")], ["Cancel", () => (restart(), onCancel({ orderID: id }))]);
      };
      return {
        async render(into) {
          restart();
          into.append(box);
        },
        async close() {
          box.remove();
        },
      };
    },
  };
})();
`;
}

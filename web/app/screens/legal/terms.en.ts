import type { LegalText } from "./legal-text.ts";

export const termsEn: LegalText = {
  title: "Terms of service",
  sections: [
    {
      heading: "1. Who may join",
      paragraphs: [
        "The service is for married adults. You must be 18 or older; nobody younger can be a member, in any language and with anybody's consent.",
        "You have one account, for yourself, and what you say of yourself is true.",
      ],
    },
    {
      heading: "2. What you publish",
      paragraphs: [
        "You keep the rights to what you write and upload, and you allow us to show it to other members as far as the service needs it.",
        "After you delete something, this permission ends within a commercially reasonable time.",
        "We may remove content or suspend an account at our discretion. We announce a suspension by email; reply to it if you disagree.",
      ],
    },
    {
      heading: "3. How members treat each other",
      paragraphs: [
        "Do not reveal to anybody who is a member here. Do not copy, publish or pass on what another member wrote or showed.",
        "No harassment, no threats, no advertising, no pictures of other people without their consent, and nothing that involves minors.",
      ],
    },
    {
      heading: "4. Payments",
      paragraphs: [
        "The price table states the prices. An order cannot be cancelled, and we cannot refund after you pay.",
        "A membership ends when its time is over; nothing renews by itself. If PayPal returns a payment to you nevertheless, the months that it paid for end.",
      ],
    },
    {
      heading: "5. Leaving",
      paragraphs: [
        "You can delete your account at any time; if it is suspended, ask us to. What belongs to it is erased, also from the conversations of others. The privacy policy lists the records that stay.",
      ],
    },
    {
      heading: "6. What we do not promise",
      paragraphs: [
        "We make reasonable efforts to keep the service available and private. We do not promise that you meet somebody. Meet for the first time in a public place.",
      ],
    },
  ],
};

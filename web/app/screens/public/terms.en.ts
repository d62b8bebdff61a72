import type { LegalText } from "./legal-texts.ts";

export const termsEn: LegalText = {
  lang: "en",
  title: "Terms of service",
  changed: "Last changed 2026/11/01",
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
        "You keep the rights to what you write and upload, and you allow us to show it to other members as the service needs it.",
        "After you delete something, this permission ends within a commercially reasonable time.",
        "We may remove content or suspend an account at our discretion.",
      ],
    },
    {
      heading: "3. How members treat each other",
      paragraphs: [
        "Do not tell anybody who is a member here. Do not copy, publish or pass on what another member wrote or showed.",
        "No harassment, no threats, no advertising, no pictures of other people without their consent, and nothing that involves minors.",
      ],
    },
    {
      heading: "4. Payments",
      paragraphs: [
        "Prices are those of the price table. An order cannot be cancelled, and we cannot refund after you pay.",
        "A membership ends by itself when its time is over; nothing is renewed without you.",
      ],
    },
    {
      heading: "5. Leaving",
      paragraphs: [
        "You can delete your account at any time. What belongs to it is erased, also from the conversations of others.",
      ],
    },
    {
      heading: "6. What we do not promise",
      paragraphs: [
        "We do what is reasonable to keep the service available and private, and do not promise that you meet somebody. Meet for the first time in a public place.",
      ],
    },
  ],
};

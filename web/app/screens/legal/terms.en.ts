import type { LegalText } from "./legal-text.ts";

export const termsEn: LegalText = {
  title: "Terms of service",
  sections: [
    {
      heading: "1. The contract",
      paragraphs: [
        "These terms are a contract between you and the operator named above (“we”). It is about a service by which married adults get to know each other and write to each other. It begins when your account is created, and has no fixed end.",
        "The account is free. A paid membership is a purchase of its own, described in section 5.",
      ],
    },
    {
      heading: "2. Who may join",
      paragraphs: [
        "The service is for married adults. You must be 18 or older; nobody younger can be a member, in any language and with anybody's consent.",
        "You have one account, for yourself, and what you say of yourself is true.",
        "If the service checks ages, you show a document with your date of birth before your first like. Its other contents may be covered.",
      ],
    },
    {
      heading: "3. What you publish",
      paragraphs: [
        "You keep the rights to what you write and upload, and you allow us to show it to other members as far as the service needs it.",
        "After you delete something, this permission ends within a commercially reasonable time.",
      ],
    },
    {
      heading: "4. How members treat each other",
      paragraphs: [
        "Do not reveal to anybody who is a member here. Do not copy, publish or pass on what another member wrote or showed.",
        "No harassment, no threats, no fraud, no advertising, no pictures of other people without their consent, and nothing that involves minors or is against the law.",
      ],
    },
    {
      heading: "5. Price and duration",
      paragraphs: [
        "The price table states the prices with all taxes, and what free and paid members can do on a day. You pay when you order, and the membership begins when the payment has arrived, or follows the one that you have.",
        "You cannot cancel this order. We cannot refund after you pay. These two sentences do not touch the right of section 6, nor what the law gives you if we do not deliver.",
        "A membership ends when its time is over; nothing renews by itself. If a payment is returned to you, the months that it paid for end.",
      ],
    },
    {
      heading: "6. Withdrawal",
      paragraphs: [
        "If the law of your country gives you the right to withdraw from a purchase, you have it, whatever else these terms say. You need no reason. Before you pay, the page names the days that you have and the share that you get back.",
        "Open the purchase history, choose “Withdraw from this purchase” and then “Confirm withdrawal”, or tell us by the form of the help page or by email to {email}. The time that you bought ends at once. We pay back in the way in which you paid, and confirm it by email.",
        "Where your law allows it and you asked us to start at once, you pay for the days used. Otherwise you get the whole price back.",
      ],
    },
    {
      heading: "7. Invitations",
      paragraphs: [
        "If a friend whom you invited buys a membership, you receive the share of its price in US dollars that the screen “Brokerage fee” shows. It becomes available on the date shown there; a refund of the purchase takes it back. Once {transferMin} are available, you can transfer them through PayPal. A transfer cannot be cancelled.",
        "You cannot invite yourself. There is no fee for a purchase that is paid from your own PayPal account.",
      ],
    },
    {
      heading: "8. Removal, suspension and appeal",
      paragraphs: [
        "We may remove content or suspend an account at our discretion. We use it where somebody breaks these terms or the law, or to protect others. Milder steps are a warning, or no new likes for some days; a suspension may be for a time or for good. A person decides, never a program alone. One step comes before the decision: where two members who are independent of each other report a threat, the account is paused at the next full hour, until a person has decided and for {freezeHours} hours at most. The member reads this after the login, and can report too.",
        "After the login you read the decision and its rule, also while your account is suspended. You can appeal there for six months, and we look at it again. You can also go to a court or to another body that the law of your country offers.",
      ],
    },
    {
      heading: "9. Leaving",
      paragraphs: [
        "You can end the contract at any time by deleting your account, also while it is suspended. What belongs to it is erased, also from the conversations of others. The privacy policy lists the records that stay.",
        "If we end the contract or the service without a breach of yours, we tell you by email {noticeDays} days before, and pay back the days of a purchase that are left.",
      ],
    },
    {
      heading: "10. What we do not promise, and liability",
      paragraphs: [
        "We make reasonable efforts to keep the service available and private. We do not promise that you meet somebody. We do not check whether a member is married, and what members say of themselves is theirs. Meet for the first time in a public place.",
        "We are liable without limit for intent and gross negligence, for harm to life, body and health, and wherever the law allows no limit. For other negligence we are liable only if it breaks a duty without which the contract makes no sense, and only for the harm that was to be foreseen.",
      ],
    },
    {
      heading: "11. Law and court",
      paragraphs: [
        "The law of the country of our address applies. If you are a consumer, the law of the country where you live keeps its mandatory rules for you, and you can sue there and only be sued there.",
        "If one sentence of these terms does not hold, the others do.",
      ],
    },
    {
      heading: "12. Language and versions",
      paragraphs: [
        "The Traditional Chinese text binds. A translation binds too, for those who read it, as far as the law of their country says so.",
        "Each version has the day from which it holds. We announce a new one by email two weeks before. From that day the app shows what changed and asks for your consent. The list at the end of this page keeps all changes.",
        "If you do not agree, you can still read, export your data, see your purchases and withdraw from them, delete your account and log out. In every country you then get the unused days of your purchases back if you ask for it.",
      ],
    },
  ],
};

import type { InfoTexts } from "./info-texts.ts";

export const infoEn: InfoTexts = {
  provider: {
    title: "Provider",
    sections: [
      {
        heading: "What we sell",
        items: [
          [
            "Price",
            "One month: {monthPrices}. One year: {yearPrices}. Taxes are included. [The price table](/pricing) shows the same prices.",
          ],
          [
            "Further costs",
            "None from us. Your connection costs what your provider asks, and your bank may charge for another currency.",
          ],
          [
            "Ways to pay",
            "PayPal, or a card through PayPal. For a bank transfer, choose it when you order: the page names our account and a reference, or how to reach us.",
          ],
          ["Time of payment", "When you order."],
          [
            "Delivery",
            "The membership begins as soon as the payment has arrived, or at the end of the one that you have.",
          ],
          ["Duration", "The months and years that you choose. Nothing renews by itself."],
          [
            "Cancellation and refund",
            "You cannot cancel this order. We cannot refund after you pay. If the law of your country gives you a right of withdrawal, you have it all the same: section 6 of the [terms](/tos).",
          ],
          [
            "What you need",
            "An email address, and a current browser on a phone or computer that may share its position.",
          ],
        ],
      },
      {
        heading: "Questions and complaints",
        paragraphs: [
          "Write to {email}, or use [the form](/contact). We reply by email.",
          "If we find no solution together, you can turn to the consumer authority of your country.",
        ],
      },
      {
        heading: "Who may use it",
        paragraphs: ["The service is for married adults. Nobody under 18 may use it."],
      },
      {
        heading: "More",
        paragraphs: [
          "[Terms of service](/tos)",
          "[Privacy policy](/privacy-policy)",
          "[Accessibility](/accessibility)",
          "[Child safety](/child-safety)",
          "[Delete your account](/delete-account)",
        ],
      },
    ],
  },
  accessibility: {
    title: "Accessibility",
    sections: [
      {
        heading: null,
        paragraphs: [
          "{brand} should work for everybody. Our measure is WCAG 2.2, level AA. This statement is our own assessment.",
        ],
      },
      {
        heading: "What works",
        items: [
          [
            "Keyboard",
            "Every screen can be used without a mouse. The focus is visible and moves to the heading of a new screen.",
          ],
          [
            "Screen readers",
            "Fields, buttons and errors have names. New messages and notices are announced.",
          ],
          [
            "Sight",
            "Text can be enlarged to twice its size. Light, dark and forced colours are supported, and contrast is checked.",
          ],
          ["Motion", "If your device asks for less motion, nothing moves by itself."],
          ["Gestures", "Everything that a swipe does has a button."],
        ],
      },
      {
        heading: "What does not",
        items: [
          [
            "Pictures of members",
            "They have no description, because only the person who added them could write one.",
          ],
          [
            "Pages of others",
            "PayPal's and Google's pages and windows are theirs, and we cannot change them.",
          ],
        ],
      },
      {
        heading: "If something stops you",
        paragraphs: [
          "Write to {email}, or use [the form](/contact). Say which page it is and what you use, and we reply by email.",
          "If that does not help, you can turn to the authority of your country that supervises accessibility.",
        ],
      },
    ],
  },
  childSafety: {
    title: "Child safety",
    sections: [
      {
        heading: "Adults only",
        paragraphs: [
          "{brand} is for married adults of 18 or older. A sign-up with a date of birth below that age is rejected.",
        ],
      },
      {
        heading: "What we do not tolerate",
        paragraphs: [
          "Sexual abuse and exploitation of children in any form: pictures and texts that show or praise it, drawn or computer-made ones too, links to it, contact with minors, and asking for any of this.",
        ],
      },
      {
        heading: "How to report it",
        paragraphs: [
          "Members open the card, profile or conversation and choose “Report”, then “Seems to be under 18” or another reason. The reported person is not told who reported.",
          "Everybody else [writes to us](/contact), without an account, or sends an email to {email}. This address reaches the person who is responsible for child safety.",
          "If a child is in danger now, call the police first.",
        ],
      },
      {
        heading: "What we do",
        paragraphs: [
          "Reports about minors stand first in our queue. We suspend the account, so that nobody sees it or its pictures any more. A picture of a suspended member is noticed when it returns.",
          "We keep the laws on child safety of the countries in which we offer the service. We pass on child sexual abuse material to the police, or to the hotline that the law names.",
        ],
      },
    ],
  },
  deleteAccount: {
    title: "Delete your account",
    sections: [
      {
        heading: null,
        paragraphs: [
          "You can delete your account of {brand} yourself at any time, in the app or here on the web, also if you no longer have the app.",
        ],
      },
      {
        heading: "How to do it",
        paragraphs: [
          "First [log in](/login). If you have forgotten your password, [set a new one](/reset-password).",
          "Then open [Settings, “Delete account”](/setting/delete-account). There you can download your data before you go.",
          "Enter your password, press “Delete account” and confirm. If you have no password, type your user ID instead.",
          "This works also while your account is suspended. If you cannot log in, write to {email} from the address of your account.",
        ],
      },
      {
        heading: "What is deleted",
        paragraphs: [
          "At once: your account, logins, profile, pictures, position, decisions and matches, and your conversations on both sides. Time that you have paid for ends with the account; if you can still withdraw from a purchase, the page offers that first.",
          "Backups expire {backupDays} days later.",
        ],
      },
      {
        heading: "What stays",
        paragraphs: [
          "Paid orders and finished transfers without your name, a few records against misuse, and the evidence of a report, if there is one. The [privacy policy](/privacy-policy) lists them with their periods.",
        ],
      },
      {
        heading: "Only a part",
        paragraphs: [
          "You can also delete single pictures and texts of your profile, and take messages back, and keep your account.",
        ],
      },
    ],
  },
};

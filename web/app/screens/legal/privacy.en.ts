import type { PrivacyPolicy } from "./legal-text.ts";

export const privacyEn: PrivacyPolicy = {
  title: "Privacy policy",
  intro: [
    "This policy lists what {brand} keeps, who can read it, who else receives it, and when it is deleted.",
    "That you are a member already reveals something about your private life. We ask for your consent when you sign up. Deleting your account withdraws it.",
  ],
  stored: {
    heading: "1. What we keep on our servers",
    items: {
      account: [
        "Account",
        "Your user ID, email address, password (as a hash) and, if you use Google, a digest of that account. If you add passkeys: their public keys, the names that you gave them, and the days on which they were added and last used; of recovery codes only digests. Also your language, who invited you, whether you are suspended, the day on which you joined, that of your last visit, which versions of terms and privacy policy you agreed to, and when. If the service checks your age, also its state and, until the decision, the picture of your document. After a change of your email address the one before, for a week. If somebody asks for a new address because the mailbox is lost, what they wrote.",
      ],
      profile: [
        "Profile",
        "The name that you show, sex, date of birth, what you write about yourself, and the facts and links that you add. Your notes, their days and who may read them, and your answer to the week’s question. Also your requests to correct sex or date of birth, with your reason until the decision. Also whether you pause, until which day, and whether only people you liked see you.",
      ],
      filter: [
        "Filter",
        "The sex, distance and age that you look for. Also the hour and time zone at which your card comes, if you chose them.",
      ],
      pictures: [
        "Pictures",
        "Your pictures, blurred or clear, as you choose, their order, and the hour of each upload. Blurring lowers the risk of being recognised and does not remove it. Place, camera and all other hidden details are deleted. The clear version of a blurred picture is not kept unless you ask for it.",
      ],
      clearPictures: [
        "Clear pictures on request",
        "If you ask for it, the clear version of a blurred picture, and which of your matches may see it.",
      ],
      position: [
        "Position",
        "Your device sends its position, and we round it on arrival to a cell of about five square kilometres, or to a larger area if you choose one. Distances count from a fixed secret point within 3 km of the middle of that cell or area, so however often and with however many accounts someone asks, they learn no more than a circle of 3 km around that point. We keep the last cell that was sent, the one that counts for distances, the minutes of both, and how often the second one changed that day. The exact position is neither stored nor logged. Your device may ask its maker where it is.",
      ],
      decisions: [
        "Decisions",
        "Whom you liked or passed and on which day, your matches and whether you have opened them, after two quiet weeks also the day, the days of matches that ended, the members found for you, the cards dealt to you, what you used of the day's number, and the last day on which you were active.",
      ],
      blocks: [
        "Blocked and never-see lists",
        "Whom you blocked and on which day. Of the people who must never see you, we keep the day, digests instead of addresses and user IDs and, if one is a member, which member. Also your own notes on them, which only you read.",
      ],
      messages: [
        "Messages",
        "Text, pictures and voice notes of your messages, with what you wrote beside a voice note, when and to whom you sent them, which message they answer, your reactions to messages, how far each side has read, and whether you show reading and typing. Also which conversations you muted, and in which you want no pictures. For new accounts also digests of links that they sent.",
      ],
      membership: [
        "Membership",
        "Your orders, when and what you paid and what was refunded, the country and whether you withdrew, the numbers of receipt and PayPal, coupons that you used, months that the operator granted, and the end of your membership. We never get card or bank numbers.",
      ],
      referral: [
        "Invitations",
        "Whom you invited, your fees, their percentage, your transfers with their times, and digests of the PayPal accounts that you used. The email address of a transfer is kept until PayPal has accepted or refused it.",
      ],
      notifications: [
        "Notifications",
        "Whether and when you want them, whether you want to know of somebody new and when we look next, your time zone, how much is unseen, when the last email went out, which emails to many members you got, and for each device the address at its push service.",
      ],
      sessions: [
        "Logins",
        "For each login the name of browser and system, digests of its tokens and one-time codes, when it began, the day on which it ended, and the hour of its last use. Also whether you want notices of new devices, and the day of the last email about one. No network address.",
      ],
      reports: [
        "Reports",
        "Reports by you, and cases about you: reason, description, day, a copy of the reported message with its picture or voice note (of a threat: of what the reported member wrote to the other in {leftMessageDays} days, and what the other wrote if they wish it) and of your profile as others see it, the operator's decision and its rule, and what you wrote about it.",
      ],
      operatorLog: [
        "Operator's log",
        "What the operator looked at or changed, when and why, under an internal number.",
      ],
      moderation: [
        "Against misuse",
        "For each sign-up a keyed digest of its network, by which the operator finds accounts from one place. Of suspended members keyed hashes of their pictures and keyed digests of their mailbox and PayPal accounts, so that a return is noticed. Each picture that you upload has a keyed hash under your own key, by which copies of stolen or removed pictures are found; it is deleted with the picture. Also which new pictures the operator has not looked at yet.",
      ],
      limits: [
        "Codes and limits",
        "Against misuse: digests of members, email addresses, networks, codes and solved checks, with their times, for two days at most. Also our answers to your last actions, encrypted so that only your device can open them, in case a connection breaks.",
      ],
      questions: [
        "Questions",
        "What you write in the form of the help page, with your address, until the email is sent. Then it is in our mailbox as long as we need it to reply. What you ask under “Help” in the settings stays with our answers until you delete your account. A notice about content, with your name, address and picture, is kept as long as its case.",
      ],
      logs: [
        "Server logs",
        "Time, kind and result of each request. With logins and rejected requests also an internal number, and with rejected ones a tag of the network that changes every day. Some requests also leave a trace: their steps and how long each took, without a member, an address or a text. The web server in front of it logs network addresses and requested URLs, which may contain user IDs.",
      ],
    },
  },
  protection: {
    heading: "2. How it is protected",
    paragraphs: [
      "User ID, email address, name, date of birth, profile, messages, pictures, voice notes, reports and push addresses are encrypted. Each member and each conversation has a key of its own.",
      "Other data is readable in the database, under internal numbers: sex, month of birth, cell, filter, settings, language and amounts. So is who liked, passed, matched, blocked, muted, reported, invited or wrote to whom, and in most cases on which day. Of messages and orders the exact time is readable.",
      "The operator holds the keys and could read everything with them.",
    ],
  },
  viewers: {
    heading: "3. Who sees it",
    paragraphs: [
      "Other members see your pictures, user ID, name, sex, age and what your profile says; its links, and the notes that you keep to them, are for your matches only. Nobody else sees the notes that you keep to yourself. On cards and with matches they also see a range of distance. They never see your email address, date of birth, position, filter or membership.",
      "Your match sees your messages, your reactions and, unless one of you turns it off, how far you have read. If both of you turn it on, each sees when the other is typing. The server only passes that on and does not keep it. If one of you reports a message, the operator reads its text, sees its picture and hears its voice note. A report of an ended match comes with what the other wrote in the last {leftMessageDays} days. If one of you reports a threat, the operator reads what the other wrote in the last {leftMessageDays} days, and gives it to the police on request.",
      "The operator reads reports and other cases, looks at new pictures as others see them, reads what you ask under “Help”, documents for the age check until the decision, and the facts of an account such as status, orders and logins. Each look is logged before it happens. The settings show you the looks at your account, those of a report later.",
      "We sell no data. Our pages have no advertising and no analytics.",
    ],
  },
  processors: {
    heading: "4. Who else receives data",
    lead: "Your browser contacts nobody but us before you open or use one of these features.",
    items: {
      paypal: [
        "PayPal",
        "For a purchase: the amount, our order number, a neutral description and the page to return to. For a refund: its amount. For a transfer: your PayPal address and the amount. PayPal's buttons load when you open the purchase page, and PayPal knows its own customers. It gives us the payer's country and account; of the account we keep a digest only.",
      ],
      google: [
        "Google",
        "If you log in with Google, it learns that you use this service. Our server asks Google whether the login is valid, and for your address. If you follow an invitation, the link to Google contains the user ID of its sender.",
      ],
      recaptcha: [
        "Google reCAPTCHA",
        "Only on forms that mention it: Google gets what its script reads in your browser. All other forms use a check of our own.",
      ],
      push: [
        "Push services",
        "If you turn on notifications, the service of your browser's maker, such as Apple, Google or Mozilla, carries them. It gets an encrypted, neutral sentence and its time. The app gets its notifications by Firebase Cloud Messaging of Google (Android) or the Apple Push Notification service (iPhone). These know the address of the app on your phone and can read the neutral sentence. The store of the app knows that you installed it.",
      ],
      mail: [
        "Mail servers",
        "Our mail server and yours carry our emails. They are neutral, but the sender's address is ours. A question from the help page also reaches us by our mail server, with your text and address.",
      ],
      storage: [
        "Hosting",
        "Our machines may be rented. Pictures and voice notes in a rented store are encrypted before they leave our server.",
      ],
    },
  },
  device: {
    heading: "5. What your browser keeps",
    lead: "Logging out deletes everything here except the entries marked “stays”. The list of visited pages is your browser's own.",
    items: {
      language: "Your language. Stays.",
      discretion: "The privacy settings of this device, and the order of your conversations. Stays.",
      session: "Your login. On a shared computer it also ends with the tab.",
      renewal: "A random number with which a renewal of the login can be repeated.",
      device: "A random token by which the next login recognises this device. Stays.",
      ending: "Why your login ended, until the next one. Stays.",
      farewells: "A logout that our server has not received yet. Stays until then.",
      notes:
        "After the second PIN, in this tab: that only the notes show, and until our server is reached a token that can only end your login. It is deleted when the tab or app is closed.",
      login: "A random number of the login that this tab shows.",
      lock: "Slow hashes of your PIN and of a second one, random if you set none; a token that can only end your login; the wrong attempts.",
      activeAt: "When you last used the page.",
      push: "That notifications are on.",
      drafts: "Messages that you began to write, in this tab. With a PIN they are not kept.",
      outbox: "Texts that are not sent yet, in this tab. With a PIN they are not kept.",
      signUp: "What you typed when signing up, without password and picture, in this tab.",
      reset:
        "The address of a password reset, when its code was requested, and the wrong attempts, in this tab.",
      invitedBy: "The user ID of the member whose invitation you opened, until you sign up.",
      google: "A random number and your choices while you log in at Google.",
      checkout: "The order that you are paying, and PayPal's page for it, in this tab.",
      card: "The time at which the day's card came that you opened here last, so that it opens once.",
      plan: "The plan and currency that you chose before paying, in this tab.",
      banners: "Notices that show after a reload of the page. Stays in this tab until then.",
      "react-router-scroll-positions": "How far you scrolled, in this tab. Stays.",
      "cookie language": "Your language, so that the first page opens in it. Stays.",
      "cookie visit":
        "A random number that connects the steps of a form. It is deleted by its period, not by a logout.",
      cache: "The browser's cache: files of the app, and pictures for ten minutes.",
      worker: "While you are logged in: files of the app, for use without a connection.",
      app: "The app for phones keeps the same. Login, PIN, and whether face or fingerprint unlocks it are in the phone's protected storage and do not move to another phone. The phone checks face and fingerprint; we receive neither. On an iPhone that storage outlives the app until you open it after a new installation. Stays: that it is installed, and settings of our server.",
    },
  },
  retention: {
    heading: "6. How long we keep it",
    lead: "As long as your account exists, except:",
    items: {
      unusedMonths:
        "An account without a visit and without paid time is deleted after {unusedMonths} months, after three emails. Zero means never.",
      ageCheckDays:
        "The picture of a document for the age check is destroyed at the decision, after {ageCheckDays} days at the latest.",
      sessionDays: "A login ends {sessionDays} days after its last use.",
      deviceDays: "Its record is deleted {deviceDays} days after that, also if you log out sooner.",
      repeatableResponseHours:
        "Our answers to your last actions are deleted after {repeatableResponseHours} hours at most.",
      visitCookieHours: "The cookie “visit” lives {visitCookieHours} hours.",
      languageCookieDays: "The cookie “language” lives {languageCookieDays} days.",
      signUpFormMinutes:
        "The typed sign-up form and a password reset stay {signUpFormMinutes} minutes after their last change.",
      hiddenConversationDays:
        "A conversation is hidden at once when a match ends or a member blocks the other, and deleted {hiddenConversationDays} days later. Until then either side can report it.",
      endedMatchDays:
        "Of a match that the other side ended, you see the days of its beginning and end, and their last words, for {endedMatchDays} days.",
      deletedMatchDays:
        "If the other side deleted their account, you see these days for {deletedMatchDays} days.",
      answerDays: "Your answer to the week’s question disappears after {answerDays} days.",
      leftPlaceDays:
        "For members who hide in an area, we keep the cells that you left, encrypted, for {leftPlaceDays} days.",
      unsentMessageHours:
        "A message that was taken back can be reported by its receiver, unseen, for {unsentMessageHours} hours. Then it is deleted.",
      leftConversationDays:
        "What a member wrote stays reportable by its receiver, unseen, for {leftConversationDays} days after the member deleted the account, with name, user ID and picture.",
      leftMessageDays: "This holds for messages of the last {leftMessageDays} days before the deletion.",
      caseDays:
        "What a report or another case keeps (messages, pictures, name, user ID and keyed digests) is destroyed {caseDays} days after its last decision, also if the account is deleted earlier.",
      noticeDays: "A notice that somebody to whom you wrote was banned is deleted after {noticeDays} days.",
      operatorLogDays: "Entries of the operator's log are deleted after {operatorLogDays} days.",
      announcementDays:
        "Emails of the operator to many members, and who got them, are deleted after {announcementDays} days.",
      suspendedPictureDays:
        "Hashes of pictures of suspended members are deleted after {suspendedPictureDays} days, or when the suspension ends.",
      signUpNetworkDays: "The digest of a sign-up's network is deleted after {signUpNetworkDays} days.",
      emailChangeDays:
        "The day of a change of your email address is kept for {emailChangeDays} days, because two changes in that time are the limit.",
      heldEmailDays:
        "The address before a change is kept for {heldEmailDays} days, so that its link can stop the account; not if you say that others read it.",
      mailboxProofDays:
        "What somebody writes to get a new address is deleted with the decision, at the latest after {mailboxProofDays} days.",
      mailboxRequestDays:
        "The day of such a request is kept for {mailboxRequestDays} days, because two in that time are the limit.",
      formerAccountDays:
        "After a deletion, digests of user id and mailbox are kept for {formerAccountDays} days, with what the account had used on its last day and its coupons.",
      sentLinkDays: "Digests of sent links are deleted after {sentLinkDays} days.",
      cardDays: "Dealt cards are deleted after {cardDays} days.",
      unclaimedUploadHours: "Uploads that belong to nothing are deleted after {unclaimedUploadHours} hours.",
      unpaidOrderDays: "Unpaid orders are deleted after {unpaidOrderDays} days.",
      bankOrderDays: "An order by bank transfer that nobody paid is deleted after {bankOrderDays} days.",
      webhookEventDays: "PayPal's event numbers are deleted after {webhookEventDays} days.",
      emailKeyDays: "The keys of emails that wait to be sent are destroyed after {emailKeyDays} days.",
      questionDays: "A question that cannot be sent is given up after {questionDays} days.",
      backupDays: "Backups are kept for {backupDays} days.",
      logDays: "Server logs and traces are deleted after {logDays} days.",
    },
  },
  deletion: {
    heading: "7. When you delete your account",
    paragraphs: [
      "In one step we delete account, logins, profile, position, decisions, matches, blocks, and your conversations, on both sides. Their keys are destroyed. Files and references to you in the lists of others follow; nobody can open them meanwhile.",
      "Backups contain copies until they expire. What is encrypted according to section 2 is encrypted there too; the rest is readable under your internal number.",
      "These stay: evidence of a case, if there is one, as long as section 6 says, and for a few days what you wrote, for a report; paid orders and finished transfers without your name, with PayPal's numbers, country and tax; the address of a transfer until PayPal has settled it; reports that you made, without you and your words; entries of the operator's log without reason and name; and your internal number with the day, so that no restored backup brings you back. The number of the destroyed key is in a public list; nobody can tell from it who you were.",
      "Copies that others made, such as photographs of their screen, are beyond our reach.",
    ],
  },
  grounds: {
    heading: "8. Why we may do this",
    lead: "The operator named above is the controller. The law of the EU and of the United Kingdom asks for a ground of each purpose:",
    items: {
      consent: [
        "Your explicit consent",
        "For what membership reveals about your private life, such as your sex life and whom you look for: profile, filter, pictures, decisions, matches and messages (Art. 6(1)(a) and 9(2)(a) GDPR). Also for your position, and for notifications that you turn on.",
      ],
      contract: [
        "The contract with you",
        "To run your account, to find and show members, to carry messages, to sell memberships, to pay fees and to answer your questions (Art. 6(1)(b)).",
      ],
      interest: [
        "Legitimate interests",
        "To keep the service safe and available: limits, digests, reports, hashes of pictures of suspended members, the operator's log, server logs and backups. The list of people who must never see you serves your interest in not being found (Art. 6(1)(f)).",
      ],
      duty: [
        "Duties by law",
        "To keep records of payments, to act on reports of illegal content, and to answer authorities and your requests (Art. 6(1)(c)).",
      ],
    },
  },
  choices: {
    heading: "9. What is needed, and what a program decides",
    paragraphs: [
      "An account needs an email address, a user ID, a name, sex, date of birth, an introduction and a picture. To meet others it also needs a position. You may leave out everything else.",
      "A program chooses the cards by the filters of both sides, distance, activity and likes. It decides nothing that has legal effect for you.",
      "Reports about you and the entries of never-see lists come from other members.",
    ],
  },
  transfers: {
    heading: "10. Other countries",
    paragraphs: [
      "Data is stored where our servers stand, and at the receivers of section 4, some of which are in the United States.",
      "Where the law asks for it, we rely on an official decision that the other country protects data as well, or on standard contractual clauses. Ask us for a copy.",
    ],
  },
  rights: {
    heading: "11. Your rights",
    paragraphs: [
      "“Export” in the settings gives you your data as a file, and “Delete account” offers it once more. You can correct your profile at any time, and withdraw your consent by deleting your account. What happened before remains lawful. Both work also while your account is suspended.",
      "You can also ask us for access, correction, deletion, restriction or a copy to take elsewhere, and object to what rests on legitimate interests. We reply within a month and charge nothing. Nobody is treated worse for using a right.",
      "You can complain to the data protection authority of the country where you live or work, or of our address. In the United Kingdom this is the Information Commissioner's Office, in Japan the Personal Information Protection Commission, in Taiwan the Personal Data Protection Commission, in California the Privacy Protection Agency. The European Data Protection Board lists those of the EU.",
      "Write with the form of the help page, or to {email}. If a representative is named above, you can also write to them.",
    ],
  },
};

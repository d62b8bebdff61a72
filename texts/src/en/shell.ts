export const shell = {
  skip: "Skip to content",
  hide: "Hide the screen",
  language: "Language",
  languageNow: "Now: {name}",
  menu: "Menu",
  home: "Home",
  messages: "Messages",
  somethingNew: "Something new",
  settings: "Settings",
  privacy: "Privacy",
  terms: "Terms",
  about: "About",
  notices: "Notices",
  moreNotices: "More notices follow",
  needsScript: "Buttons and forms here need JavaScript. Please allow it for this site.",
  lifeless:
    "This page did not load completely, and nothing in it can be pressed. Please check your connection and load it again.",
} as const;

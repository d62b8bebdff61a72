import type { Texts } from "../language.ts";
import { brokerage } from "./brokerage.ts";
import { fields } from "./fields.ts";
import { leaving } from "./leaving.ts";
import { letters } from "./letters.ts";
import { refusals } from "./refusals.ts";
import { ui } from "./ui.ts";
import { shell } from "./shell.ts";
import { cover } from "./cover.ts";
import { fault } from "./fault.ts";
import { login } from "./login.ts";
import { codes } from "./codes.ts";
import { passwords } from "./passwords.ts";
import { signUp } from "./sign-up.ts";
import { profileForm } from "./profile-form.ts";
import { crop } from "./crop.ts";
import { pricing } from "./pricing.ts";
import { about } from "./about.ts";
import { home } from "./home.ts";
import { profile } from "./profile.ts";
import { gps } from "./gps.ts";
import { matched } from "./matched.ts";
import { membership } from "./membership.ts";
import { upgrade } from "./upgrade.ts";
import { slideshow } from "./slideshow.ts";
import { safety } from "./safety.ts";
import { settings } from "./settings.ts";
import { devices } from "./devices.ts";
import { privacy } from "./privacy.ts";
import { deleteAccount } from "./delete-account.ts";
import { messages } from "./messages.ts";
import { neverSee } from "./never-see.ts";
import { notifications } from "./notifications.ts";
import { chat } from "./chat.ts";

export default {
  about,
  brokerage,
  chat,
  codes,
  cover,
  crop,
  deleteAccount,
  devices,
  fault,
  fields,
  gps,
  home,
  leaving,
  letters,
  login,
  matched,
  membership,
  messages,
  notifications,
  passwords,
  neverSee,
  pricing,
  privacy,
  profile,
  profileForm,
  refusals,
  safety,
  settings,
  shell,
  signUp,
  slideshow,
  ui,
  upgrade,
} satisfies Texts;

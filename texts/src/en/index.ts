import { fields } from "./fields.ts";
import { letters } from "./letters.ts";
import { refusals } from "./refusals.ts";
import { ui } from "./ui.ts";
import { shell } from "./shell.ts";
import { cover } from "./cover.ts";
import { fault } from "./fault.ts";
import { login } from "./login.ts";
import { signUp } from "./sign-up.ts";
import { profileForm } from "./profile-form.ts";
import { crop } from "./crop.ts";
import { pricing } from "./pricing.ts";
import { about } from "./about.ts";

export default {
  about,
  cover,
  crop,
  fault,
  fields,
  letters,
  login,
  pricing,
  profileForm,
  refusals,
  shell,
  signUp,
  ui,
} as const;

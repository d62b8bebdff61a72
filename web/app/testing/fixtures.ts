import type { Dm } from "@alcove/contract/messaging";
import type { Party, PublicUser, User } from "@alcove/contract/users";

const profile = {
  user_id: "hanako",
  username: "Hanako",
  icon: "/icon.svg",
  icon_process: true,
  pictures: ["/icon.svg"],
  clear_icon: null,
  clear_pictures: [null],
  sex: "female",
  age: 41,
  description: "I live near the river.",
  how_long_married: null,
  how_long_married_unit: "year",
  tall: null,
  tall_unit: "cm",
  weight: null,
  weight_unit: "kg",
  salary: null,
  salary_unit: "USD",
  salary_duration: "year",
  purpose: null,
  hobby: null,
  twitter: null,
  instagram: null,
  facebook: null,
  line: null,
  posts: [],
} satisfies Partial<PublicUser & User>;

/** A member as others see them. */
export const publicUser = (values: Partial<PublicUser>): PublicUser => ({
  ...profile,
  distance: null,
  distance_unit: "km",
  ...values,
});

/** The member themselves: free, with a password, and at no position. */
export const ownUser = (values: Partial<User> = {}): User => ({
  ...profile,
  email: "hanako@example.com",
  has_password: true,
  has_passkey: false,
  pictures_process: [true],
  pictures_waiting: [false],
  date_of_birth: "1985-01-01",
  status: "free",
  paid_account_expired_at: null,
  brokerage_fee_percentage: 30,
  search_sex: "male",
  search_range_unit: "km",
  search_min_range: 0,
  search_max_range: 100,
  search_min_age: 20,
  search_max_age: 120,
  location: null,
  gps_updated_at: null,
  location_precision: "cell",
  consent_due: false,
  age_checked: false,
  email_choice_due: false,
  new_email_asked: false,
  paused: false,
  paused_until: null,
  only_liked: false,
  correction: null,
  arrival: null,
  arrival_zone: null,
  card_arrives_at: null,
  ...values,
});

export const party = (name: string): Party => ({ user_id: name, username: name, icon: "/icon.svg" });

/** A message from one member to another. */
export const dm = (id: string, from: string, to: string, clientId?: string): Dm => ({
  id,
  sender: party(from),
  receiver: party(to),
  description: "Hello",
  file: null,
  voice: null,
  voice_seconds: null,
  created_at: "2026-11-21T10:00:00.000Z",
  reactions: [],
  ...(clientId ? { clientId } : {}),
});

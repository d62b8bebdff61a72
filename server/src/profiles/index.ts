export type { ProfileForm } from "./own-profile.ts";
export { createProfile } from "./own-profile.ts";
export type { Filter, Person } from "./people.ts";
export { loadPeople } from "./people.ts";
export { setPlace } from "./place.ts";
export { presentOwnUser, presentParty, presentPublicUser } from "./present.ts";

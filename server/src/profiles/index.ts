export type { Album } from "./album.ts";
export { albumOf, emptyAlbum, filesOf } from "./album.ts";
export type { ProfileForm } from "./own-profile.ts";
export { createProfile } from "./own-profile.ts";
export type { Filter, Person } from "./load-people.ts";
export { decryptDateOfBirth, loadPeople } from "./load-people.ts";
export { addPicture } from "./pictures.ts";
export { setLocationPrecision, setPosition } from "./position.ts";
export { presentClearPictures, presentOwnUser, presentParty, presentPublicUser } from "./present.ts";

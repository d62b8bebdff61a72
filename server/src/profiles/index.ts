export type { Album } from "./album.ts";
export { albumOf, emptyAlbum, filesOf } from "./album.ts";
export type { ProfileForm } from "./own-profile.ts";
export { createProfile } from "./own-profile.ts";
export { decideCorrection, listWaitingCorrections, readWaitingCorrection } from "./corrections.ts";
export type { Filter, Person } from "./load-people.ts";
export { decryptDateOfBirth, isOnCards, loadPeople } from "./load-people.ts";
export { addPicture, endWaiting } from "./pictures.ts";
export type { Note } from "./profile-text.ts";
export type { Reader } from "./notes.ts";
export {
  answerOf,
  changeNotes,
  endAnswers,
  newNote,
  noteDay,
  noteIdOf,
  openNoteId,
  presentNotes,
  readableNotes,
} from "./notes.ts";
export {
  removeAlbum,
  removeNotes,
  removeTexts,
  restoreAlbum,
  restoreNotes,
  restoreTexts,
} from "./removals.ts";
export { setLocationPrecision, setMoves, setPosition } from "./position.ts";
export { usernameError } from "./changes.ts";
export { cardDay, type CardDays, changedDay, chosenStart, MIN_CARD_DAY_MS, UNCHOSEN } from "./card-day.ts";
export { lockArrival, readCardDays, updateCardDays } from "./card-day.sql.ts";
export { areasOf, enterPlace, findAreaMates, isInAreas } from "./hidden-areas.ts";
export { endPauses, limitIn, pauseIn } from "./visibility.ts";
export { isPaused, readLimit, readQuiet } from "./visibility.sql.ts";
export { presentClearPictures, presentOwnUser, presentParty, presentPublicUser } from "./present.ts";

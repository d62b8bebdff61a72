export { announce, type Announcement } from "./announcements.ts";

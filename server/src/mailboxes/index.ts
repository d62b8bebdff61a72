export { handOver } from "./hand-over.ts";
export { findMailboxRequest, listMailboxRequests, type ListedRequest, rejectRequest } from "./requests.ts";

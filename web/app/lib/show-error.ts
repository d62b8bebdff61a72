import { Offline, Refused } from "./api.ts";
import { banner } from "./banner.ts";

/**
 * Tells the member why a call did not do what it should: the server's own sentence, or that there is no connection.
 * Anything else is a fault of the app: it says 'Error' and is reported like an error that nobody caught.
 */
export function tellFailure(error: unknown): void {
  if (error instanceof Refused) banner.alertText(error.message);
  else if (error instanceof Offline) banner.alert("errorScreen.offline");
  else {
    banner.alert("errors.fault");
    reportError(error);
  }
}

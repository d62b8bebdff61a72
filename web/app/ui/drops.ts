const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** The first file that is pasted or dropped. Office programs put a picture of a copied text beside it: the text counts. */
export function fileIn(data: DataTransfer): File | undefined {
  const file = [...data.files].find(({ type }) => type.startsWith("image/")) ?? data.files[0];
  const text = data.getData("text/plain").replaceAll(UNSEEN, "").trim();
  // Some systems add the name of a copied file.
  return text === "" || text === file?.name ? file : undefined;
}

const TEXT_FIELDS =
  "textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=date], [type=time])";

/** A field takes no address without a text. The browser would open it. */
function isTextForField({ target, dataTransfer }: DragEvent): boolean {
  const types = dataTransfer?.types ?? [];
  const isField = target instanceof Element && target.matches(TEXT_FIELDS) && !target.matches("[readonly]");
  return isField && types.includes("text/plain") && !types.includes("Files");
}

/** Keeps the browser from opening a file or link that is dropped beside its target. Fields take dragged text. */
export function keepDropsOnPage(): void {
  for (const type of ["dragover", "drop"] as const)
    addEventListener(type, (event) => {
      if (event.defaultPrevented || isTextForField(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
    });
}

/** A square of a picture, in the picture's own pixels; it may reach beyond the picture. */
interface Square {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** More than any screen shows; the server makes it smaller still. */
const SIDE_MAX = 1_080;
const BEYOND = "#e1e7e1";

/** Draws a square of a picture as `icon.png`. What lies beyond the picture is filled with a quiet tone. */
export async function cropToPng(picture: string, square: Square): Promise<File> {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const side = Math.max(1, Math.min(SIDE_MAX, Math.round(square.width)));
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser cannot draw");
  context.fillStyle = BEYOND;
  context.fillRect(0, 0, side, side);
  const scale = side / square.width;
  context.drawImage(
    image,
    -square.x * scale,
    -square.y * scale,
    image.naturalWidth * scale,
    image.naturalHeight * scale,
  );
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return new File([blob], "icon.png", { type: "image/png" });
}

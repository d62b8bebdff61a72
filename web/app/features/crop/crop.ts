/** In the picture's own pixels. It may reach beyond the picture. */
interface Square {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The server reduces the picture further. */
const SIDE_MAX_PX = 1_080;
const BACKGROUND = "#e1e7e1";

/** Fills the area beyond the picture. */
export async function cropToPng(picture: string, square: Square): Promise<File> {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const side = Math.max(1, Math.min(SIDE_MAX_PX, Math.round(square.width)));
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser cannot draw");
  context.fillStyle = BACKGROUND;
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

export const crop = {
  title: "Crop your picture",
  hint: "Drag it, or use the arrow keys. The arch shows how it appears on cards.",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  cancel: "Cancel",
  confirm: "Use this picture",
} as const;

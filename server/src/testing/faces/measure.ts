// npm run faces: first whether the original is found, then whether a face is recognised
await import("./measure-linking.ts");
await import("./measure-recognition.ts");

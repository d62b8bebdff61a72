import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { loadFaceApi } from "../../integrations/face-detection/face-api.ts";

export interface Square {
  readonly rgb: Uint8Array;
  readonly side: number;
}

/** In pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface FoundFace {
  readonly box: Box;
  /** Aligned by the landmarks, for the recognition net. */
  readonly aligned: Box;
  readonly descriptor: Descriptor;
}

export type Descriptor = Float32Array;

/** The library's own threshold: at a smaller distance two descriptors are the same person. */
export const MATCH_BELOW = 0.6;
const NET_SIDE = 150;

interface Tensor {
  dispose(): void;
}

interface Detected {
  readonly detection: { readonly box: Box };
  readonly alignedRect: { readonly box: Box };
  readonly descriptor: Descriptor;
}

interface Detection extends PromiseLike<unknown> {
  withFaceLandmarks(): { withFaceDescriptors(): Promise<Detected[]> };
}

interface Net {
  loadFromDisk(folder: string): Promise<void>;
}

interface FaceApi {
  readonly tf: {
    setBackend(name: string): Promise<boolean>;
    ready(): Promise<void>;
    tensor3d(values: Uint8Array, shape: [number, number, number], type: "int32"): Tensor;
  };
  readonly nets: Record<"ssdMobilenetv1" | "faceLandmark68Net" | "faceRecognitionNet", Net> & {
    readonly faceRecognitionNet: { computeFaceDescriptor(face: Tensor): Promise<Descriptor> };
  };
  readonly SsdMobilenetv1Options: new (options: { minConfidence: number; maxResults: number }) => object;
  detectAllFaces(image: Tensor, options: object): Detection;
  euclideanDistance(one: Descriptor, other: Descriptor): number;
}

const require = createRequire(import.meta.url);

/** The package brings these pictures of people. */
export const samplesFolder = join(dirname(require.resolve("@vladmandic/face-api/package.json")), "demo");

export async function loadFaceLibrary() {
  const { api, models } = await loadFaceApi<FaceApi>(import.meta.filename);
  for (const net of ["ssdMobilenetv1", "faceLandmark68Net", "faceRecognitionNet"] as const)
    await api.nets[net].loadFromDisk(models);

  const withTensor = async <T>(
    rgb: Uint8Array,
    [height, width]: [number, number],
    use: (tensor: Tensor) => Promise<T>,
  ) => {
    const tensor = api.tf.tensor3d(rgb, [height, width, 3], "int32");
    try {
      return await use(tensor);
    } finally {
      tensor.dispose();
    }
  };

  return {
    /** Returns faces from a score of `minConfidence`. */
    find(
      rgb: Uint8Array,
      size: [height: number, width: number],
      minConfidence: number,
    ): Promise<FoundFace[]> {
      const options = new api.SsdMobilenetv1Options({ minConfidence, maxResults: 20 });
      return withTensor(rgb, size, async (tensor) => {
        const found = await api.detectAllFaces(tensor, options).withFaceLandmarks().withFaceDescriptors();
        return found.map(({ detection, alignedRect, descriptor }) => ({
          box: plain(detection.box),
          aligned: plain(alignedRect.box),
          descriptor,
        }));
      });
    },
    /** No detector needs to see a face there. */
    async describe({ rgb, side }: Square, box: Box): Promise<Descriptor> {
      const left = Math.max(0, Math.min(side - 8, Math.round(box.x)));
      const top = Math.max(0, Math.min(side - 8, Math.round(box.y)));
      const crop = await sharp(rgb, { raw: { width: side, height: side, channels: 3 } })
        .extract({
          left,
          top,
          width: Math.min(side - left, Math.round(box.width)),
          height: Math.min(side - top, Math.round(box.height)),
        })
        .resize(NET_SIDE, NET_SIDE, { fit: "fill" })
        .raw()
        .toBuffer();
      return withTensor(crop, [NET_SIDE, NET_SIDE], (tensor) =>
        api.nets.faceRecognitionNet.computeFaceDescriptor(tensor),
      );
    },
    distance: (one: Descriptor, other: Descriptor): number => api.euclideanDistance(one, other),
  };
}

const plain = ({ x, y, width, height }: Box): Box => ({ x, y, width, height });

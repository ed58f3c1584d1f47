// Files that go with a message: images are put into it, everything else is laid into the session's folder and named.

import type { Api } from "../wire/api";
import { Refused } from "../wire/api";
import type { Media } from "../wire/events";

export interface Attachment {
  readonly id: string;
  readonly name: string;
  /** What the model is shown; null of a file that is named by its path. */
  readonly media: Media | null;
  readonly path: string | null;
  /** For the eye, of an image. */
  readonly preview: string | null;
}

/** Where files are laid. */
const FOLDER = "uploads";

/** Most bytes of an image in a message: the server takes a message of one mebibyte, and base64 makes four bytes of three. */
const MOST = 600_000;

/** Longest side of an image that has to be made smaller. */
const SIDE = 1600;

const KINDS: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const isImage = (file: File): boolean => KINDS.includes(file.type);

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => (typeof reader.result === "string" ? resolve(reader.result) : reject(new Error("the image does not read"))));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("the image does not read")));
    reader.readAsDataURL(blob);
  });
}

async function smaller(file: File): Promise<Blob> {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale)));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.82 });
  if (blob.size > MOST) throw new Error(`${file.name} is too large to go with a message, also when it is made smaller`);
  return blob;
}

/** An image, small enough for a message. */
async function imageOf(file: File, id: string): Promise<Attachment> {
  const blob = file.size <= MOST ? file : await smaller(file);
  const media = { url: await dataUrl(blob), media_type: blob.type, label: file.name };
  return { id, name: file.name, media, path: null, preview: URL.createObjectURL(blob) };
}

/** A file in the session's folder. */
async function fileOf(api: Api, session: string, file: File, id: string): Promise<Attachment> {
  await api.makeFolder(FOLDER, session).catch((error: unknown) => {
    if (!(error instanceof Refused && error.code === "file_exists")) throw error;
  });
  const written = await api.upload(FOLDER, file.name, session, file);
  return { id, name: written.name, media: null, path: written.path, preview: null };
}

/** An image of a message that was sent, to go with another one. */
export async function attachedAgain(api: Api, session: string, media: Media, id: string): Promise<Attachment> {
  const blob = await api.media(media.url.replace(/^media:/, ""), session);
  return { id, name: media.label, media: { ...media, url: await dataUrl(blob) }, path: null, preview: URL.createObjectURL(blob) };
}

/** A file as it goes with a message. `session` is asked for where the file needs a folder to lie in. */
export async function attachmentOf(api: Api, session: () => Promise<string>, file: File, id: string): Promise<Attachment> {
  return isImage(file) ? imageOf(file, id) : fileOf(api, await session(), file, id);
}

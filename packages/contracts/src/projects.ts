/** Longest JSON text of a kept project, bytes: spot lists of thousands of spots are a tenth of it. */
export const PROJECT_BYTES_MAX = 4 * 1024 * 1024;

/** Largest thumbnail of a kept project, bytes of PNG or WebP: lists carry one for each project. */
export const THUMBNAIL_BYTES_MAX = 64 * 1024;

/** Longest data URL of a thumbnail, characters: base64 writes three bytes as four characters. */
export const THUMBNAIL_LENGTH_MAX = 'data:image/webp;base64,'.length + 4 * Math.ceil(THUMBNAIL_BYTES_MAX / 3);

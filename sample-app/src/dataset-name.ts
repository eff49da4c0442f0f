/** What a dataset can be called: it is a part of resource URIs. */
const DATASET_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** What {@link isDatasetName} asks for, in words. */
export const DATASET_NAME_RULE = 'must be up to 64 letters, digits, "_", "." or "-", and start with a letter or digit';

/** Whether a dataset can be called this. */
export function isDatasetName(name: string): boolean {
  return DATASET_NAME.test(name);
}

/** What is used of dcmjs, which has no types of its own. */
declare module 'dcmjs' {
  /** Elements by tag, as dcmjs writes them. */
  type Elements = Record<string, unknown>;
  class DicomDict {
    constructor(meta: Elements);
    dict: Elements;
    write(): ArrayBuffer;
  }
  const DicomMetaDictionary: { denaturalizeDataset(dataset: Record<string, unknown>): Elements };
  const dcmjs: { data: { DicomDict: typeof DicomDict; DicomMetaDictionary: typeof DicomMetaDictionary } };
  export default dcmjs;
}

// Lists: one reader for all that modules declare, and the operations that search them. It owns no
// table and knows no object.
export { csvField, exportRows, FORMATS } from './export.ts';
export { questionOf } from './schema.ts';
export { LOOKED_AT, readList, type ListPage, type ListQuestion, type ListRow } from './read.ts';

// The size of a further file is computed from its text to the byte, so the promised limit is exact.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OffloadedText } from '../../../core/offloaded-text.ts';
import { FURTHER_FILES_MAX_BYTES } from '../../../providers/files/port.ts';
import { sizeOfFurther } from './file-schema.ts';

const rest = { file_name: 'a.png', file_ext: '.png', file_mime_type: 'img/png' };

test('a file is as large as its bytes, in every form that it comes in', () => {
  for (const size of [1, 2, 3, 4_096, 4_097, 4_098, FURTHER_FILES_MAX_BYTES]) {
    const file_contents = Buffer.alloc(size, 0xff).toString('base64');
    for (const text of [`data:image/png;base64,${file_contents}`, file_contents]) {
      assert.equal(sizeOfFurther(text), size);
      assert.equal(sizeOfFurther(new OffloadedText(Buffer.from(text), text.length, '')), size);
    }
    assert.equal(sizeOfFurther({ ...rest, file_contents }), size);
  }
});

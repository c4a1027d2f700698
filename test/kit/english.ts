// Sets what the widget says to English, for its tests, which run without a page. The widget's own
// project checks its types.
import { textsOf } from '../../src/texts/index.ts';
import { setTexts } from '../../widget/flows/texts.ts';

setTexts(textsOf('en'));

import { MemoryStores } from '../../test/memory-stores.js';
import { describeSubmissions } from '../../test/submission-suite.js';

describeSubmissions(() => new MemoryStores());

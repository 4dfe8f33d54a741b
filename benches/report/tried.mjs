// What was tried for speed, and what came of it: two sections of the page.

export const tried = `## What helped

Each is against the state before it, so the figures do not add up.

- An update: a short way of its own for rows that come again, one function where there were a hundred. An update takes 0.75 µs where it took 1.2 once all is compiled, and a third less in a
  new store, where most of it is waiting for memory. To look for who shows a row before the row is read, so that both are waited for at once, takes a twentieth off. Half of the objects that JavaScript
  made for an update made no difference that could be measured.
- A stream: pieces that nobody looks at are joined, and read when somebody does. To find in each of them which bytes are beyond ASCII took as long as reading it, until sixteen were looked at at
  once. To find where each of the joined pieces ends, in bytes, took a sixth of all the time with pieces of a kilobyte, as soon as there was an \`é\` among them, letter by letter behind it: what a profile
  of native code, or of a text in ASCII, does not show. Pieces of which nothing is to be said, which is looked at for all of them first, need no more than their nodes set and a step of undo, and the nodes
  that a stream has set are a bit each: a seventh less with pieces of 64 bytes, a tenth with a kilobyte.
- Strings: where one ends is looked for sixteen bytes at a time, and the last bytes together with those before them. 10,000 flow nodes take a seventh less; elsewhere it is hardly measured.
- Flow nodes: the known parts of a node are taken without a call for each token, the names of types are made once, and a name that is made is looked up once. 10,000 nodes take an eighth less.
  After that a fifth less: the names of all nodes stand in one list, who keeps a name that collides is noted while names are made, types are told apart by where their names stand, tables have their room at once, and
  small functions on the way are written out where they are called. All of the mapping compiled for speed had taken a fifth off as well, for 18 kB, before that; what is left is spread over a hundred functions.
- A \`CONTAINS\`: two of its letters are looked for, the two that texts have most seldom, first in which blocks of 64 places they may stand, without a jump that depends on it, and then where
  in them. It takes a tenth less than memchr's search where case counts, and a quarter of what it took with \`v\` and \`V\` looked for one by one where it does not; one search for both leaves 3 kB out of the module.
  A single letter that stands in every text six times takes half as long again. The vectors are made of two halves, which compiles to one load and needs no \`unsafe\`.
- For the same: which pairs of letters each text has, sixty-four kinds of them, a bit each: texts without the pairs that are looked for are not read. To find nothing among 100,000 takes 0.09 ms where it took 0.36, to find
  10,000 of them 0.46 where it took 0.7 (0.87 ignoring case); what is left is waiting for the texts that have it. It costs eight bytes a text, nothing that could be measured when a graph is loaded, and helps
  where texts have 24 to 128 bytes on average: longer ones have most kinds of pairs, and have no such bits. To look at the first blocks of sixty-four likely texts before what is in them was slower.
- Updates: HAM at \`opt-level = 2\`, where \`s\` is a tenth slower. Without loops unrolled or made into vectors, and with fewer of the functions marked \`#[inline]\` put in, the module is 10 kB smaller,
  reading and updates as bytes a twentieth slower, and a shuffle a tenth: not worth three dials.
- Large messages: a message of 64 kB or more leaves room for one like it, so that what is there is not moved for the next one (a tenth less; a thousand updates behind it take up to a twentieth longer, for the room
  is cold), and what is short is copied word by word: \`memory.copy\` is a call out of WebAssembly, at ten nanoseconds each. The values of a map are put where they stay, and \`true\` is compared as one number.
- Browsers: their decoder takes half a microsecond for a text of twenty letters that stands in the memory of the WebAssembly, a loop over its bytes a fifth of that, and texts with letters such as
  \`é\` are written by a loop as plain ones were. In Chromium updates take about a tenth less. Node calls the encoder faster than a loop is, and the decoder from some thirty letters on. The loop that reads takes letters of two bytes as well: a name with an \`ü\`
  took the decoder after the loop had read it in vain, half a microsecond more.
- Bursts: the rows of a message are looked up sixty-four at a time, 6 to 10 % less, and to touch the old values of those rows as well, for nothing but to have them near, another 8 %. A row that comes twice among them had all of them read again.
- Rows of several components, which is what models write and what no row of this page has: a card with four texts took the long way, on which all five instances are looked at and compared. What an instance is stands
  with whom a node tells now, so none of them is looked at, and only what shows a value that is another one is told: 1,000 updates among 10,000 such cards take 2.4 ms where they took 4, in bursts of 50 1.7 where they took 2.7.
- Bursts again: the names of fifty rows are hashed, then the table is asked for all of them, then the names are compared, so that memory is waited for once in each of these steps: 6 to 10 % less, bytes 6 %. Fifty numbers are
  sorted by their bytes, and fewer than 32 by moving each to its place, where a heap did both and took more code.
- Bursts once more, and lists in another order: names are looked up in five steps, of which each reads for all of the sixty-four what the one before has found the place of, and nothing else: the fewer instructions stand
  between two places in memory, the more of them are waited for together. Bursts take 4 to 8 % less, a shuffle of 100,000 a quarter, though it has a tenth more instructions; of 10,000, which are near
  anyway, hardly a twentieth.
- What a single message takes besides its row, half of an update: that it has one row is not looked up twice, which properties show what changed is known when a component is described, the room of the input is a plain
  number, and short texts are compared and copied without a call. In Chromium a message is written a word of four letters at a time, two thirds of what letter by letter took. A thousand updates take a tenth less, as bytes a seventh, in a new store, where memory is waited for, a twentieth.
- Letters beyond ASCII: one of them in a message, and the texts of what it changed were copied and decoded apart, for places in the text are code units and ours are bytes. Now units are counted, sixty-four bytes at a time,
  and texts are taken from the message as in ASCII: a thousand updates, a quarter of them with such letters, take a twelfth less, in bursts a twentieth.
- A listener for each field, by \`store.subscribe\`: what each shows was asked for by a call, and crossed as an object. Now it comes with the change as it does on a surface: 2.3 ms for a thousand updates among 40,000 listeners
  where it was 6, and 30 ms to subscribe them where it was 165. No work of this page had such listeners, so it was not seen here.
- Commands over the rows of a graph, none of which this page had: each row was made as a map for the one field that was looked at. Now fields are read from their columns, what is the same is looked up
  once, and the rows of \`SELECT\`, \`JOIN\` and \`AGGREGATE\` are made when somebody looks: of 500,000 edges \`COUNT BY\` takes 10 ms where it took 630, a \`JOIN\` 67 where it took 1,080; of 100,000 nodes \`RANK … LIMIT 10\`
  takes 4 ms where it took 111, for it puts in order only what is near the first ten.
- Node-link JSON: rows that are maps of plain values, as nearly all are, are passed over in one go when their places are looked for, and read without values made of them: 100,000 edges in 160 ms where it took 280.
- Rows that are handed to JavaScript, and a graph as JSON, are written from the columns, without values: 19 ms for 16,600 rows where it took 31, of which \`JSON.parse\` is 9.
- Names of nodes that plain JSON becomes (\`HamStore.from\`, \`diff\`) were made for every value, and are made for nodes alone; \`diff\` compares texts, and reads none of its own: 45 ms for 10,000 rows where it took 83.
- To read what is not there crossed as an object, 4.6 µs; it is two words now, 0.4. A stream whose reader is ahead of it took a third longer for that.
- Numbers of sixteen digits and more, which divisions leave: one exact division of 128 bits by 64 in place of one bit after the other, and a product in place of a long division to write them. A
  megabyte of rows with such a number each is read in 1.9 ms where it took 7.8, and without tables the module is no larger. No row of this page has such numbers, so it was not seen here.
- Messages with space and escapes, of which one row of this page is: a map is compared with the keys of the last one as that was spaced (\`json.dumps\` and pretty print put space in), texts with escapes are
  taken on the same way, letters beyond ASCII do not stop the search for the end of a text, numbers of a list are read in one go, and eight digits at once. The same 10,000 rows with space take 1.6 ms where they took 3.0,
  Chinese 2.7 (6.5), with \`\\u\` escapes 4.4 (9.7), with \`\\n\` and \`\\"\` 3.1 (4.7), 200,000 integers in lists 2.4 (4.5); small updates with space or escapes half as long. That is 4.3 kB more of WebAssembly.
- A store that is new: the memory that a message is written into is one for all stores, what reading takes is given back, and a large message leaves room for one like it. An
  untouched page of memory costs two microseconds when it is first written; a first megabyte touches 660 of them where it touched 1,020.
- Bytes in small pieces: they wait for somebody who looks, as pieces of text do, and are read together: a megabyte in pieces of 64 bytes takes 6 ms where it took 10.
- No function is made for each update of a surface, or for each stream. What V8 compiles of such functions is lost with the surface or the stream that they belong to, and was compiled
  again for the next one, on another thread, whose time counts too: a third of that of an update.
- The first updates of a page: fewer calls for each, with records read where they stand in memory and the room of the input a word of it. While nothing is compiled, as JavaScript is for the first thousands, most of an
  update is those calls: a tenth less in a new process, once compiled nothing that could be measured. What is left is compiling itself, 97 functions of WebAssembly for a thousand updates, on other threads, whose time counts too.
- Paths: the nodes that are as far from an end as a path may be long were numbered as all others were, a random write for each of ten thousand. None but a start can be one of them, so where the starts are fewer their steps are
  looked at instead: 0.18 ms where it took 0.38.
- Rows that come behind the list that names them: the whole list was walked for each of them. Now each missing row has a watcher of its own, and where the nodes of the list stand is known while many are
  missing: 30,000 rows one by one take 0.14 s where they took 13. No work of this page had such rows, which is how a model writes them; "rows one by one" is new. In a page the list was laid out anew for each
  as well, with everything measured: below the window nothing is drawn but the room, once a frame, and where a row begins is reckoned from the few that were measured: 0.3 s for 10,000 where it was 5.2.
- Messages in pieces: to look at a letter of a text that was just put together puts it together in memory, so the whole message was copied with each piece. Only the end of it is looked at now.
- Components that come one by one: whoever shows one was looked for among all instances, and JavaScript copied its table of them for each. 8,000 take 0.14 s where they took 0.51.
- A text with marks that a model writes into a page was read and drawn anew with each piece. Blocks that nothing behind them can change stay, and so do their nodes and all of the last block that is as it was: 83 kB in 2,000
  pieces take 1.1 s where they took 24. No work of this page draws such a text.
- Rows of several components: what a component names as its children was looked through for each instance, with a table of its own, and everything that grows with the instances was moved again and again. The children are
  known when it is described, and there is room for all rows when the first of them has said how many instances a row has: 10,000 rows of five are mounted in 11 ms where it took 17 and their tree is written in 7 for 14, and
  the first paint takes a tenth less with one text in a row, a seventh with four.
- \`PROCESS\`: what all batches had brought was written down again after each, and the names of all fields were looked for. What is new is put behind what is there: without a \`backend\` 100,000 rows take 3 s where they took 19.
- What grew with the square of its input, and no work of this page has: a \`COUNT … BY\` joined with the rows that it counted made all sources of a group anew for each of them (4,000 rows of five groups 6 ms where it took 15 s,
  10,000 took more memory than there is); one message that makes each of 40,000 lists longer looked through all that changed for each (0.1 s for 2.5); a component of thousands of properties described anew, keys
  of a workflow that come again, an envelope that does, a long \`IN\` that finds nothing, and lists in the maps that a \`PROCESS\` returns.
- Updates that change nothing stood in the history, in the midst of those that do, until they were taken out of it again. They are not put there.
- Downloads: the functions of a module in an order in which each has much in common with the 32 kB before it, which is how far back zipping looks: a fiftieth less than sorted by name.

## What did not help

- A proxy in place of the children of a long list: it cannot be cloned, and a console shows what stands behind it. A getter can.
- The measured height of a row as a field of that row: ten thousand objects of one kind become objects of another when the first of them holds a fraction, which took 18 ms of the
  first paint. The few that are measured stand in a table of their own.
- Fewer rows in JavaScript make the first paint a third to a half shorter, and no more: what was left was mostly WebAssembly that ran for the first time,
  with no function that stood out. Since then an idle page has it compiled ahead.
- To hold back the beginning of a row that a piece of a stream ends in, and to read it at a glance with the next piece: an eighth fewer instructions, a twenty-fifth of the time.
- Functions with one caller put back where they are called, by wasm-opt: engines compile them no sooner, and the module is a fifteenth larger. Hints of which functions to
  compile first (\`metadata.code.compilation_priority\`): Chromium does not heed them.
- The names of nodes right behind what is known of them, so that looking one up waits for one place in memory and not for two: a shuffle took a tenth longer, at 10,000 rows and at 100,000.
- Two lists of numbers compared in blocks of sixteen: no faster than one by one, for 64 bytes are compared by a call to \`memcmp\`, byte by byte. Blocks of 32 bytes are compared as two
  vectors, and take a third of the time.
- To let rows keep their keys to themselves for every listener: the first change of a row took a microsecond longer, and a thousand updates half as long again. Only the renderer is
  told of rows that nobody has looked at; whoever else subscribes has all keys from then on.
- All of the core compiled for speed, and not for size as everything but HAM is: 10,000 flow nodes took a quarter less, and the module is a fifth larger.
- Items of two lists, which have three numbers each, compared eight at a time: no fewer instructions than one by one. What helped with long lists is not to read again what is written as it
  was before, and to walk through each as seldom as can be.
- Small functions put in where they are called by wasm-opt, up to ten times the size that it takes for small: a thousand updates, a stream and 10,000 flow nodes take 3 to 10 % less, and the module is a twentieth
  larger.
- \`base\` compiled like HAM: nothing that could be measured, for 7 kB more. What did help for 0.2 kB is to compile \`memchr\` for speed: its loops called a function for each vector.
- Changes to the glue that wasm-bindgen writes, by patterns over its text: 0.8 kB of JavaScript less, to be found anew with each of its versions.
- A loop in place of the encoder for messages of up to 96 letters in Node: a tenth slower on a stream of 64-byte pieces.
- Profile-guided optimisation, with counters read from the memory of an instrumented module after the works of this page: a thousand updates a third faster, 10,000 flow nodes as well, a stream a
  seventh, for 540 kB instead of 424; with everything compiled for size or for speed as it is now, a tenth faster for 40 kB. There is no way to tell rustc to compile for size what is cold.
- All of the module compiled for speed (\`opt-level = 3\`, functions put in as usual): a thousand updates a fifth faster, a stream a quarter, 10,000 flow nodes a third, for 670 kB instead of 416.
- Small functions on the way of an update, fifty of them, written out where they are called: a thousand updates a seventh faster, for 2.5 kB more of WebAssembly. All of HAM compiled
  for speed gives as much for 23 kB.
- Room for ten thousand instances made at once, as it is made for the nodes of a large message: no difference that could be measured.
- The text of a row compared with the text that it was read from, so that only what differs is read: as many instructions as reading all of it, because where its values end has to be found still, and a row has to
  keep its text for that.
- A hash table of our own for ids, with the whole hash beside the number: as fast as hashbrown, which then stayed. One kind of entry for all its uses makes the module 2 kB smaller.
- The longest rising sequence of a shuffle looked for without jumps, by four, eight and sixteen places at once, or in a tree of bits: each slower in WebAssembly than \`partition_point\` is.
- An idle page that warms up with more: with a hundred messages of 300 rows the first paint takes as long as with three small ones.
- HAM at \`opt-level = 3\`, functions put in up to four times the size that they are now, and both, for 4, 13 and 18 kB: on a machine that waits 150 ns for a place in memory, updates, streams and shuffles take as long as before.
- Moves read without a call for each word: no difference that could be measured.`;

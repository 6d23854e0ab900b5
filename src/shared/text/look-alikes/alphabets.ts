/** Scripts that cannot be mistaken for Latin; most are written next to it without a blank, as in `AとB` and `git을`. */
export const unlike = [
  "Han Hiragana Katakana Hangul Bopomofo Yi Thai Lao Khmer Myanmar Tibetan Mongolian Arabic Hebrew Syriac Thaana",
  "Ethiopic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala",
]
  .flatMap((names) => names.split(" "))
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Full-width, mathematical and other forms of Latin letters and digits, Roman numerals, ligatures, and two of phonetics. */
export const styled =
  "\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d7ff}\\u2102\\u210a-\\u2113\\u2115\\u2119-\\u211d\\u2124\\u2128\\u212a\\u212c\\u212d\\u212f-\\u2134\\u2145-\\u2149\\u2160-\\u217f\\ufb00-\\ufb06ɑɡ";

/**
 * Letters that are read as Latin ones: of Cyrillic, Greek and Armenian, and of Cherokee, Lisu and Coptic, whose capitals are
 * like ours.
 */
export const twins = [
  styled,
  "АВЕЅІЈКМНОРСТУХҮԌԚԜҺӀаегкѕіјорсухьүһӏԁԛԝѵ",
  "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυιγκχϲϳ",
  "ՕՏՍԼօոսհզցյք",
  "ᎠᎡᎢᎩᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏔᏙᏚᏞᏟᏢᏦᏮᏴ",
  "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ",
  "ⲀⲎⲒⲔⲘⲚⲞⲢⲤⲦⲬⲓⲟⲣⲥⲭ",
].join("");

import { expect, test } from "vitest";
import { showLookAlikes } from "../../../src/shared/text/show-look-alikes.ts";
import { fc } from "../../support/fuzz.ts";

test.each([
  ["p\u0430ypal.com", "p\\u{430}ypal.com"],
  ["https://\u0441\u043e\u0440\u0443.com/x", "https://\\u{441}\\u{43e}\\u{440}\\u{443}.com/x"],
  ["user@\u0441\u043e\u0440\u0443.com", "user@\\u{441}\\u{43e}\\u{440}\\u{443}.com"],
  ["rm -r ./\u0441\u043e\u0440", "rm -r ./\\u{441}\\u{43e}\\u{440}"],
  ["\u0441\u0440 -r a b # привет", "\\u{441}\\u{440} -r a b # привет"],
  ["привет; \u0441\u0440 a b", "привет; \\u{441}\\u{440} a b"],
  ["--force=\u043e\u043e", "--force=\\u{43e}\\u{43e}"],
  ["cp a \u03bf\u03bd", "cp a \\u{3bf}\\u{3bd}"],
  ["\uff52\uff4d -rf x", "\\u{ff52}\\u{ff4d} -rf x"],
  ["\u{1d5ff}m -rf x", "\\u{1d5ff}m -rf x"],
  ["\u13da\u13a2 x", "\\u{13da}\\u{13a2} x"],
  ["git\u0578ub.com", "git\\u{578}ub.com"],
  ["go\u101dgle.com", "go\\u{101d}gle.com"],
  ["a\u0661b", "a\\u{661}b"],
  ["paypal.com\u2044login.evil.com", "paypal.com\\u{2044}login.evil.com"],
  ["\ufb01le", "\\u{fb01}le"],
  ["\u212aey", "\\u{212a}ey"],
])("%j is shown as %s", (text, shown) => {
  expect(showLookAlikes(text)).toBe(shown);
});

test.each([
  "Привет, а у нас всё с Docker, и хор поёт: «а это сор?» С 5 до 7.",
  "А Docker не нужен; SQL-запрос, docs/Документ.md, файл.txt",
  "а) первое; б) второе",
  "Ћирилица је писмо. Є і ї в українській мові.",
  "Το όνομα και ο κόσμος στην Αθήνα",
  "Δt = 5 μm, kΩ, α = 3, x_ν, λx → σ, m², 1ª, Nº, µs, ½, ™",
  "naïve café Ångström Straße kapı İstanbul łódź Việt Nam",
  "ＡＢＣ株式会社のserver、AとBの違い、第１章 第Ⅱ章",
  "使用git克隆，Docker：Nginx（版本2）",
  "git을 사용합니다",
  "ใช้gitครับ हिन्दी में git, שלום הgit, مرحبا git",
  "Բարեւ աշխարհ, გამარჯობა",
  "👩‍👩‍👧 e\u0301 ✓ … — “quoted”",
])("ordinary text stays as it is: %s", (text) => {
  expect(showLookAlikes(text)).toBe(text);
});

test("a shown word never has Latin letters beside others that look like them", () => {
  const letters = fc.string({
    unit: fc.constantFrom(
      "a",
      "o",
      "c",
      "p",
      "\u0430",
      "\u043e",
      "\u0441",
      "\u03bf",
      "\uff41",
      ".",
      "/",
      " ",
    ),
    maxLength: 30,
  });
  fc.assert(
    fc.property(letters, (text) => {
      const shown = showLookAlikes(text);
      // There is no letter here that would tell in which alphabet it is written.
      expect(shown).toMatch(/^[\x20-\x7e]*$/);
      const back = shown.replace(/\\u\{([\da-f]+)\}/g, (_, number) =>
        String.fromCodePoint(Number.parseInt(number, 16)),
      );
      expect(back).toBe(text);
    }),
  );
});

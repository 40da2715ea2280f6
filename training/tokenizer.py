"""Build the one tokenizer both models share: WordPiece that can also read Japanese.

Promises: English text is split as the original uncased vocabulary splits it (after NFKC);
every kana and kanji is one token of its own; voicing marks survive (が stays が, not か);
old token ids keep their meaning, new ones are appended.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece
from tokenizers.processors import TemplateProcessing

KANA = r"[\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff]"
PUNCTUATION = "、。「」『』【】〔〕〈〉《》・ー〜～…‥※々〆〇ヶ→←↑↓△▲▽▼○●◎□■◇◆★☆♪°′″±×÷≠≦≧≤≥∞∴♂♀℃¥£€§¶†‡μαβγδεζηθικλνξπρστυφχψω"


def kanji() -> list[str]:
    """The kanji of JIS X 0208, level 1 (rows 16 to 47) before level 2 (rows 48 to 84)."""
    found: list[str] = []
    for row in range(16, 85):
        for cell in range(1, 95):
            try:
                found.append(bytes([0xA0 + row, 0xA0 + cell]).decode("euc_jp"))
            except UnicodeDecodeError:
                continue
    return found


def kana() -> list[str]:
    """All hiragana and katakana, small forms and iteration marks included."""
    codes = [*range(0x3041, 0x3097), 0x309D, 0x309E, *range(0x30A1, 0x30FF)]
    return [chr(code) for code in codes]


def build(base_vocab: list[str]) -> tuple[Tokenizer, list[str]]:
    """Return the tokenizer and the tokens appended to `base_vocab`, in id order."""
    vocab = {token: i for i, token in enumerate(base_vocab)}
    normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.NFD(),
            normalizers.Replace(Regex(r"[\u0300-\u036f]"), ""),  # Latin and Greek accents only
            normalizers.NFC(),
            normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=True),
        ]
    )
    added: list[str] = []
    for char in [*kana(), *kanji(), *PUNCTUATION]:
        shown = normalizer.normalize_str(char).strip()
        if len(shown) == 1 and shown not in vocab:
            vocab[shown] = len(vocab)
            added.append(shown)
    tokenizer = Tokenizer(WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Split(Regex(KANA), "isolated")]
    )
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocab["[CLS]"]), ("[SEP]", vocab["[SEP]"])],
    )
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    return tokenizer, added


def mpnet_ids(base_vocab: list[str], mpnet_vocab: list[str]) -> list[int]:
    """For each base token id, the id of the same token in the vocabulary of the larger model."""
    ids = {token: i for i, token in enumerate(mpnet_vocab)}
    special = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>", "[MASK]": "<mask>"}
    unknown = ids["[UNK]"]
    return [ids.get(special.get(token, token), unknown) for token in base_vocab]


def main() -> None:
    """Write tokenizer.json, the list of added tokens and the map to the ids of the larger model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vocab", type=Path, required=True, help="vocab.txt of the small base model")
    parser.add_argument("--mpnet-vocab", type=Path, required=True, help="vocab.txt of the larger model")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    base = args.vocab.read_text(encoding="utf-8").rstrip("\n").split("\n")
    larger = args.mpnet_vocab.read_text(encoding="utf-8").rstrip("\n").split("\n")
    tokenizer, added = build(base)
    args.out.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(args.out / "tokenizer.json"), pretty=False)
    details = {"base_size": len(base), "added": added, "teacher_ids": mpnet_ids(base, larger)}
    (args.out / "vocab_map.json").write_text(json.dumps(details, ensure_ascii=False), encoding="utf-8")
    print(f"vocabulary: {len(base)} + {len(added)} = {len(base) + len(added)}")


if __name__ == "__main__":
    main()

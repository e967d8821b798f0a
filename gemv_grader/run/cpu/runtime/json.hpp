// Writes one JSON object a line. Keys are ours; values may be anything.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string>

namespace simt {

class Json {
public:
    Json& begin_object() { return comma(), text_ += '{', first_ = true, *this; }
    Json& end_object() { return text_ += '}', first_ = false, *this; }
    Json& begin_array() { return comma(), text_ += '[', first_ = true, *this; }
    Json& end_array() { return text_ += ']', first_ = false, *this; }

    Json& key(const char* name) { return string(name), text_ += ':', first_ = true, *this; }

    Json& string(const char* value) {
        comma();
        text_ += '"';
        for (; *value; ++value) {
            const auto byte = static_cast<unsigned char>(*value);
            if (byte < 0x20 || byte == '"' || byte == '\\') {
                char escaped[8];
                snprintf(escaped, sizeof escaped, "\\u%04x", byte);
                text_ += escaped;
            } else {
                text_ += *value;
            }
        }
        text_ += '"';
        return *this;
    }
    Json& number(int64_t value) { return comma(), text_ += std::to_string(value), *this; }
    Json& number(uint64_t value) { return comma(), text_ += std::to_string(value), *this; }
    Json& number(unsigned value) { return number(static_cast<uint64_t>(value)); }
    Json& number(int value) { return number(static_cast<int64_t>(value)); }
    Json& number(double value) {
        char digits[32];
        snprintf(digits, sizeof digits, "%.3f", value);
        return comma(), text_ += digits, *this;
    }
    Json& truth(bool value) { return comma(), text_ += value ? "true" : "false", *this; }

    void newline() { text_ += '\n', first_ = true; }
    const std::string& text() const { return text_; }
    void clear() { text_.clear(), first_ = true; }

private:
    void comma() {
        if (!first_) text_ += ',';
        first_ = false;
    }
    std::string text_;
    bool first_ = true;
};

}  // namespace simt
